import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { lines, openBrowser, openPage, readBook, readings, run, startReview } from "./book.mjs";

let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser.close());

const isSaved = (page) => page.waitForFunction(() => document.querySelector("#saving").textContent === "All corrections are saved");
const currentFen = (page) => page.locator(".card.current .fen").textContent();

/** A request with headers that a browser would not let a page set. */
const ask = (address, { method = "GET", headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const url = new URL(address);
    const sent = request({ host: url.hostname, port: url.port, path: url.pathname, method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject);
    sent.end(body);
  });

test("corrections are saved as they are made, undone, and survive a restart of the server", async () => {
  const folder = readBook();
  const file = join(folder, "out", "corrections.jsonl");
  let server = await startReview(folder);
  const page = await openPage(browser, server.address);
  await page.selectOption("#order", "book");
  await page.keyboard.press("]");
  await page.keyboard.press("t");
  const turned = await currentFen(page);
  await page.keyboard.press("]");
  await page.keyboard.press("t");
  await isSaved(page);
  await page.waitForTimeout(300);
  assert.equal(lines(file).length, 2);
  await page.keyboard.press("u");
  await page.waitForTimeout(500);
  assert.equal(lines(file).length, 1);
  assert.deepEqual(page.problems, []);
  await server.stop();

  server = await startReview(folder);
  const again = await openPage(browser, server.address);
  await again.selectOption("#order", "book");
  assert.equal(await again.locator(".card").first().locator(".fen").textContent(), turned);
  await server.stop();
  run(folder, "export", "out");
  assert.equal(lines(folder, "out", "corrected", "positions.fen")[0], turned);
  const exported = JSON.parse(lines(folder, "out", "corrected", "readings.jsonl")[0]);
  assert.equal(exported.fields.turn.provenance, "given");
  assert.deepEqual(readdirSync(join(folder, "out")).filter((name) => name.includes("unfinished")), []);
});

test("two windows do not overwrite each other", async () => {
  const folder = readBook();
  const server = await startReview(folder);
  const [one, two] = [await openPage(browser, server.address), await openPage(browser, server.address)];
  for (const page of [one, two]) { await page.selectOption("#order", "book"); await page.keyboard.press("]"); }
  await one.keyboard.press("x");
  await isSaved(one);
  await two.keyboard.press("t");
  await two.waitForFunction(() => document.querySelector("#saving").textContent.includes("another window"));
  assert.equal(await two.locator(".card.current.left-out").count(), 1);
  const [correction] = lines(folder, "out", "corrections.jsonl").map((line) => JSON.parse(line));
  assert.equal(correction.left_out, true);
  assert.equal(correction.turn, readings(folder)[0].fields.turn.value);
  await server.stop();
});

test("the page says when the server is gone, and saves when it is back in reach", async () => {
  const folder = readBook();
  const server = await startReview(folder);
  const page = await openPage(browser, server.address);
  await page.keyboard.press("]");
  await page.route("**/corrections", (route) => route.abort());
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.querySelector("#saving.failed"));
  await page.unroute("**/corrections");
  await isSaved(page);
  assert.equal(lines(folder, "out", "corrections.jsonl").length, 1);
  await server.stop();
});

test("requests of other sites, other hosts, without the token or too large are refused and change nothing", async () => {
  const folder = readBook();
  const server = await startReview(folder);
  const url = new URL(server.address);
  const origin = url.origin;
  const board = readings(folder)[0];
  const words = board.fen.split(" ");
  const correction = {
    type: "correction", source: board.source, placement: words[0], below: "white", turn: words[1], castling: "-", castling_inferred: false,
    en_passant: "-", halfmove: "0", fullmove: "1", left_out: true, settled: [], revision: 0,
  };
  const post = (headers, body = JSON.stringify(correction), address = server.address + "corrections") =>
    ask(address, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body });
  assert.equal(await ask(origin + "/"), 404);
  assert.equal(await ask(origin + "/" + "0".repeat(32) + "/"), 404);
  assert.equal(await ask(server.address + "journal.jsonl"), 404);
  assert.equal(await ask(server.address + "..%2f..%2fetc/passwd"), 404);
  assert.equal(await ask(server.address, { headers: { Host: "evil.example" } }), 403);
  assert.equal(await ask(server.address, { headers: { Origin: "http://evil.example" } }), 403);
  assert.equal(await post({}), 403);
  assert.equal(await post({ Origin: "http://evil.example" }), 403);
  assert.equal(await post({ Origin: "null" }), 403);
  assert.equal(await post({ Origin: origin, "Content-Type": "text/plain" }), 415);
  assert.equal(await post({ Origin: origin }, "{"), 400);
  assert.equal(await post({ Origin: origin }, JSON.stringify({ ...correction, turn: "x" })), 400);
  assert.equal(await post({ Origin: origin }, JSON.stringify({ ...correction, source: { ...board.source, board: 99 } })), 400);
  assert.equal(await post({ Origin: origin }, " ".repeat(70000)), 413);
  assert.equal(existsSync(join(folder, "out", "corrections.jsonl")), false);
  assert.equal(await post({ Origin: origin }), 200);
  assert.equal(await post({ Origin: origin }), 409);
  assert.equal(lines(folder, "out", "corrections.jsonl").length, 1);
  await server.stop();
});
