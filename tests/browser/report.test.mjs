import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { lines, openBrowser, openPage, readBook, readings, run, screenshot } from "./book.mjs";

let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser.close());

const open = (folder, options) => openPage(browser, "file://" + join(folder, "out", "report.html"), options);
const currentFen = (page) => page.locator(".card.current .fen").textContent();
const openDoubts = async (page) => Number((await page.locator("#counts").textContent()).match(/(\d+) doubtful squares open/)[1]);

async function saved(page, kind) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.selectOption("#save", kind)]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("the report opens from a file, fetches nothing and shows every board with its picture", async () => {
  const folder = readBook();
  const page = await open(folder);
  const boards = readings(folder);
  assert.match(await page.locator("#counts").textContent(), new RegExp(`^${boards.length} boards, ${boards.length} shown`));
  await page.selectOption("#order", "book");
  const first = page.locator(".card").first();
  assert.equal(await first.locator(".fen").textContent(), boards[0].fen);
  await page.waitForFunction(() => document.querySelector(".card img").naturalWidth > 100);
  assert.equal(await first.locator(".source .doubt").count(), boards[0].doubtful_squares.length);
  assert.equal(await first.locator(".square.doubt").count(), boards[0].doubtful_squares.length);
  assert.deepEqual(page.fetched.map((address) => address.split(":")[0]), ["file"]);
  assert.deepEqual(page.problems, []);
});

test("boards come worst first, or in the order of the book", async () => {
  const folder = readBook();
  const page = await open(folder);
  const fens = async () => { const all = []; for (const card of await page.locator(".card").all()) { await card.scrollIntoViewIfNeeded(); all.push(await card.locator(".fen").textContent()); } return all; };
  const boards = readings(folder);
  const worst = boards.map((board, index) => ({ index, board })).sort((a, b) => b.board.doubtful - a.board.doubtful || Math.floor(a.board.board_confidence * 1000) - Math.floor(b.board.board_confidence * 1000) || a.index - b.index);
  assert.deepEqual(await fens(), worst.map(({ board }) => board.fen));
  await page.selectOption("#order", "book");
  assert.deepEqual(await fens(), boards.map((board) => board.fen));
});

test("a square is corrected by mouse, and the FEN and the problems follow", async () => {
  const page = await open(readBook());
  const card = page.locator(".card").first();
  const squares = card.locator(".square");
  const king = await squares.evaluateAll((cells) => cells.findIndex((cell) => cell.getAttribute("aria-label").includes("white king")));
  await squares.nth(king).click();
  await page.locator("#palette button[data-piece='.']").click();
  assert.equal((await card.locator(".fen").textContent()).split(" ")[0].includes("K"), false);
  assert.equal(await card.locator(".problems [data-code='no-white-king']").count(), 1);
  await page.selectOption("#filter", "no-king");
  assert.equal(await page.locator(".card").count(), 1);
  await page.keyboard.press("u");
  assert.equal(await card.locator(".problems [data-code='no-white-king']").count(), 0);
  assert.deepEqual(page.problems, []);
});

test("a click on the picture chooses the same square", async () => {
  const folder = readBook();
  const page = await open(folder);
  await page.selectOption("#order", "book");
  const overlay = page.locator(".card").first().locator(".source svg");
  await overlay.scrollIntoViewIfNeeded();
  const corners = await overlay.evaluate((svg) => svg.querySelector(".lattice").getBoundingClientRect().toJSON());
  const at = (column, row) => page.mouse.click(corners.x + ((column + 0.5) * corners.width) / 8, corners.y + ((row + 0.5) * corners.height) / 8);
  const chosen = page.locator(".card.current .square.cursor");
  // Seen from Black, the same places have other names.
  const names = readings(folder)[0].orientation.value === "white" ? ["e2", "a8"] : ["d7", "h1"];
  await at(4, 6);
  assert.equal((await chosen.getAttribute("aria-label")).slice(0, 2), names[0]);
  await at(0, 0);
  assert.equal((await chosen.getAttribute("aria-label")).slice(0, 2), names[1]);
});

test("twenty doubtful squares are settled by keyboard with at most two presses each", async () => {
  const page = await open(readBook());
  const before = await openDoubts(page);
  assert.ok(before >= 20, `the book has ${before} doubtful squares`);
  let presses = 0;
  const press = async (key) => { presses += 1; await page.keyboard.press(key); };
  await press(".");
  for (let done = 0; done < 20; done++) await press(done % 2 ? "N" : "s");
  assert.equal(await openDoubts(page), before - 20);
  assert.ok(presses <= 40, `${presses} presses`);
  await screenshot(page, "report-corrected");
  assert.deepEqual(page.problems, []);
});

test("side to move, rotation and leaving a board out work by keyboard", async () => {
  const page = await open(readBook());
  await page.keyboard.press("]");
  const [placement, turn] = (await currentFen(page)).split(" ");
  await page.keyboard.press("t");
  assert.equal((await currentFen(page)).split(" ")[1], turn === "w" ? "b" : "w");
  await page.keyboard.press("o");
  const rotated = placement.split("/").reverse().map((rank) => [...rank].reverse().join("")).join("/");
  assert.equal((await currentFen(page)).split(" ")[0], rotated);
  const count = (await saved(page, "fen")).text.trim().split("\n").length;
  await page.keyboard.press("x");
  assert.equal((await saved(page, "fen")).text.trim().split("\n").length, count - 1);
});

test("a way up in doubt is asked for, confirmed by Enter or settled by rotating", async () => {
  const folder = readBook();
  const path = join(folder, "out", "report.html");
  const html = readFileSync(path, "utf8").replaceAll('"is_way_up_in_doubt":false', '"is_way_up_in_doubt":true');
  writeFileSync(path, html.replaceAll(/"doubtful":\[[\d,]*\]/g, '"doubtful":[]'));
  const page = await open(folder);
  const count = readings(folder).length;
  const turned = async () => Number((await page.locator("#counts").textContent()).match(/way up of (\d+) boards open/)[1]);
  assert.equal(await turned(), count);
  await page.locator("#next-doubt").click();
  const current = page.locator(".card.current");
  assert.match(await current.locator(".badge").textContent(), /^way up in doubt/);
  const first = await current.getAttribute("data-index");
  const fen = await currentFen(page);
  await page.keyboard.press("Enter");
  assert.equal(await turned(), count - 1);
  const confirmed = page.locator(`.card[data-index="${first}"]`);
  assert.equal(await confirmed.locator(".fen").textContent(), fen);
  assert.equal(await confirmed.locator(".badge").textContent(), "confirmed");
  assert.notEqual(await current.getAttribute("data-index"), first);
  await page.keyboard.press("o");
  assert.equal(await turned(), count - 2);
  assert.equal(await current.locator(".badge").textContent(), "corrected");
  const lines = (await saved(page, "corrections")).text.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => line.way_up_settled), [true, true]);
  assert.deepEqual(page.problems, []);
});

test("corrections outlive a reload and reach the documents through export", async () => {
  const folder = readBook();
  const page = await open(folder);
  await page.selectOption("#order", "book");
  await page.keyboard.press("]");
  const original = readings(folder)[0];
  // The first square of the first board becomes a white queen.
  for (let step = 0; step < 8; step++) { await page.keyboard.press("ArrowLeft"); await page.keyboard.press("ArrowUp"); }
  const corner = await page.locator(".card").first().locator(".square").first().getAttribute("aria-label");
  await page.keyboard.press(corner.includes("white queen") ? "q" : "Q");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.selectOption("#order", "book");
  const fen = await page.locator(".card").first().locator(".fen").textContent();
  assert.notEqual(fen, original.fen);
  const files = {};
  for (const kind of ["fen", "pgn", "csv", "corrections"]) files[kind] = await saved(page, kind);
  assert.equal(files.fen.text.split("\n")[0], fen);
  assert.ok(files.pgn.text.includes(`[FEN "${fen}"]`));
  assert.ok(files.csv.text.split("\r\n")[1].includes(fen));
  assert.equal(files.corrections.name, "corrections.jsonl");
  writeFileSync(join(folder, "out", "corrections.jsonl"), files.corrections.text);
  run(folder, "export", "out");
  assert.equal(lines(folder, "out", "corrected", "positions.fen")[0], fen);
  const exported = JSON.parse(lines(folder, "out", "corrected", "readings.jsonl")[0]);
  assert.equal(exported.fields.placement?.provenance ?? exported.squares[0].provenance, "given");
  assert.equal(exported.squares.filter((square) => square.provenance === "given").length, 1);
  assert.equal(lines(folder, "out", "positions.fen")[0], original.fen);
});

test("all FENs are copied", async () => {
  const folder = readBook();
  const page = await open(folder, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.click("#copy-all");
  await page.waitForFunction(() => document.querySelector("#saving").textContent.includes("copied"));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(copied.trim().split("\n"), readings(folder).map((board) => board.fen));
});

test("the page filter shows the boards of one page", async () => {
  const folder = readBook();
  const page = await open(folder);
  await page.fill("#page", "2");
  assert.equal(await page.locator(".card").count(), readings(folder).filter((board) => board.source.page === 2).length);
});

test("every control has a name, and the chosen square is told to screen readers", async () => {
  const page = await open(readBook());
  await page.keyboard.press(".");
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, a, [role=grid], [role=gridcell]")]
      .filter((element) => !(element.getAttribute("aria-label") || element.labels?.length || element.textContent.trim()))
      .map((element) => element.outerHTML.slice(0, 80)));
  assert.deepEqual(unnamed, []);
  const grid = page.locator(".card.current .board");
  assert.ok(await grid.evaluate((element) => element === document.activeElement));
  const active = await grid.getAttribute("aria-activedescendant");
  assert.match(await page.locator("#" + active).getAttribute("aria-label"), /^[a-h][1-8], .*doubtful/);
  assert.match(await page.locator("#announcer").textContent(), /doubtful/);
});

test("the report fits a phone in both colour schemes", async () => {
  const folder = readBook();
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(folder, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false);
    await page.locator(".square").nth(9).tap();
    assert.match(await page.locator(".square.cursor").getAttribute("aria-label"), /^b7, /);
    assert.ok(await page.locator("#palette").isVisible());
    await screenshot(page, "phone-" + colorScheme);
    await page.locator("#palette button[data-piece='n']").tap();
    assert.match(await page.locator(".square.cursor, .card.current .square").nth(9).getAttribute("aria-label"), /black knight/);
    const desktop = await open(folder, { colorScheme });
    await desktop.keyboard.press(".");
    await screenshot(desktop, "desktop-" + colorScheme);
  }
});
