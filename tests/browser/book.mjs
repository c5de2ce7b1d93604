// A small book read by the real program, shared by the tests.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const target = process.env.IMG2FEN_TARGET ?? join(root, "target", "release");
export const program = join(target, "img2fen");

/** Makes and reads a book of `pages` pages once; every test gets its own copy of the folder. */
const folders = [];
process.on("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
let made = null;
export function readBook(pages = 5) {
  if (!made) {
    const folder = mkdtempSync(join(tmpdir(), "img2fen-browser-"));
    folders.push(folder);
    execFileSync(join(target, "examples", "make_book"), [join(folder, "book.pdf"), String(pages)]);
    // A confidence that hardly any board reaches leaves squares to look at.
    const read = ["batch", "book.pdf", "-o", "out", "--min-confidence", "0.9999999", "--write", "jsonl,fen,epd,pgn,csv,html"];
    execFileSync(program, read, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    made = folder;
  }
  const copy = mkdtempSync(join(tmpdir(), "img2fen-browser-"));
  folders.push(copy);
  cpSync(made, copy, { recursive: true });
  return copy;
}

/** A browser; its pages fail the test on an error in their script, and count what they fetch. */
export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.fetched = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => !request.url().startsWith("data:") && page.fetched.push(request.url()));
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  return page;
}

/** The review server of a folder: its address, and how to stop it. */
export async function startReview(folder) {
  const server = spawn(program, ["review", "out"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", (code) => reject(new Error(`review ended with ${code}`)));
  });
  return { address, stop: () => new Promise((resolve) => { server.removeAllListeners("exit"); server.once("exit", resolve); server.kill("SIGKILL"); }) };
}

export const run = (folder, ...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
export const lines = (...path) => readFileSync(join(...path), "utf8").split("\n").filter((line) => line !== "");
export const readings = (folder) => lines(folder, "out", "readings.jsonl").map((line) => JSON.parse(line)).filter((line) => line.type === "reading");

export async function screenshot(page, name) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, name + ".png") });
}
