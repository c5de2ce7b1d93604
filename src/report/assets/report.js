// The page on which a person compares readings with their pictures and corrects them.
//
// Data comes in <script type="application/json" id="readings"> and one <script type="text/plain"> a picture, so that
// nothing is decoded before it is looked at. Squares are numbered 0 to 63 from the top left of the *picture*, row by
// row; only `below` ("white" or "black") says which square of the board that is.
"use strict";
(() => {
  const job = JSON.parse(document.getElementById("readings").textContent);
  const boards = job.boards;
  const PIECES = "KQRBNPkqrbnp";
  const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  /** A board with more doubts than this is looked at as a whole. */
  const LISTED_DOUBTS = 8;
  const STORAGE_KEY = "img2fen " + job.id;
  const $ = (id) => document.getElementById(id);

  // ---- small helpers ------------------------------------------------------------------------------------------

  /** A number with its noun, in the singular when there is one. */
  const counted = (count, noun, nouns = noun + "s") => `${count} ${count === 1 ? noun : nouns}`;

  /** An element with attributes, handlers (`onclick`) and children (elements or text). */
  function make(tag, attributes = {}, ...children) {
    const svg = /^(svg|use|path|polygon|g)$/.test(tag);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value != null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child != null));
    return element;
  }
  const isWhite = (piece) => piece !== "." && piece === piece.toUpperCase();
  const pieceName = (piece) =>
    piece === "." ? "empty" : (isWhite(piece) ? "white " : "black ") + NAMES[piece.toLowerCase()];
  const squareName = (index, below) => {
    const at = below === "white" ? index : 63 - index;
    return "abcdefgh"[at % 8] + (8 - (at >> 3));
  };
  const squareIndex = (name, below) => {
    const at = "abcdefgh".indexOf(name[0]) + 8 * (8 - Number(name[1]));
    return below === "white" ? at : 63 - at;
  };
  const percent = (thousandths) => (thousandths >= 1000 ? "over 99.9 %" : (thousandths / 10).toFixed(1) + " %");
  const where = ({ source }) => source.path + (source.page ? ", page " + source.page : "") + ", board " + source.board;
  const drawPiece = (piece) => make("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, make("use", { href: "#piece-" + piece }));

  // ---- state: what a person decided, one object a board -------------------------------------------------------

  const initial = (board) => ({
    pieces: board.pieces,
    below: board.below,
    turn: board.fields.turn.value,
    castling: board.fields.castling.value,
    castlingInferred: board.fields.castling.provenance === "inferred",
    enPassant: board.fields.en_passant.value,
    halfmove: board.fields.halfmove.value,
    fullmove: board.fields.fullmove.value,
    settled: [],
    wayUpSettled: false,
    leftOut: false,
  });
  const states = boards.map(initial);
  const revisions = boards.map(() => 0);
  let undoStack = [];
  let current = -1;
  let cursor = null;

  const isCorrected = (index) => {
    const { settled: _now, wayUpSettled: _nowUp, ...now } = states[index];
    const { settled: _before, wayUpSettled: _beforeUp, ...before } = initial(boards[index]);
    return JSON.stringify(now) !== JSON.stringify(before);
  };
  const isTouched = (index) => isCorrected(index) || states[index].wayUpSettled || states[index].settled.length > 0;
  const openDoubts = (index) =>
    states[index].leftOut ? [] : boards[index].doubtful.filter((square) => !states[index].settled.includes(square));

  /** Whether nobody has said yet which side is below, and it is in doubt. */
  const isWayUpOpen = (index) => boards[index].is_way_up_in_doubt && !states[index].wayUpSettled && !states[index].leftOut;
  const isOpen = (index) => openDoubts(index).length > 0 || isWayUpOpen(index);

  /** The 64 pieces from a8 to h1. */
  const ordered = (state) => (state.below === "white" ? state.pieces : [...state.pieces].reverse().join(""));

  function placement(state) {
    const pieces = ordered(state);
    const ranks = [];
    for (let rank = 0; rank < 8; rank++) {
      ranks.push(pieces.slice(8 * rank, 8 * rank + 8).replace(/\.+/g, (run) => run.length));
    }
    return ranks.join("/");
  }

  /** Castling rights with king and rook at home. */
  function homeCastling(state) {
    const at = (name) => state.pieces[squareIndex(name, state.below)];
    let rights = "";
    if (at("e1") === "K") rights += (at("h1") === "R" ? "K" : "") + (at("a1") === "R" ? "Q" : "");
    if (at("e8") === "k") rights += (at("h8") === "r" ? "k" : "") + (at("a8") === "r" ? "q" : "");
    return rights || "-";
  }
  const fen = (state) =>
    [placement(state), state.turn, state.castling, state.enPassant, state.halfmove, state.fullmove].join(" ");

  // ---- checker: the same codes as the program's, for what a correction changes ------------------------------

  function attacked(pieces, target, byWhite) {
    const at = (file, rank) => (file < 0 || file > 7 || rank < 0 || rank > 7 ? null : pieces[8 * rank + file]);
    const mine = (letter) => (byWhite ? letter.toUpperCase() : letter);
    const [file, rank] = [target % 8, target >> 3];
    const pawnRank = byWhite ? rank + 1 : rank - 1;
    if (at(file - 1, pawnRank) === mine("p") || at(file + 1, pawnRank) === mine("p")) return true;
    for (const [x, y] of [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]]) {
      if (at(file + x, rank + y) === mine("n")) return true;
    }
    for (const [x, y] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]]) {
      if (at(file + x, rank + y) === mine("k")) return true;
      const slider = mine(x === 0 || y === 0 ? "r" : "b");
      for (let step = 1; step < 8; step++) {
        const piece = at(file + step * x, rank + step * y);
        if (piece === null) break;
        if (piece === ".") continue;
        if (piece === slider || piece === mine("q")) return true;
        break;
      }
    }
    return false;
  }

  function check(state) {
    const found = [];
    const report = (severity, code, message) => found.push({ severity, code, message });
    const pieces = ordered(state);
    const count = (piece) => pieces.split(piece).length - 1;
    for (const [king, colour] of [["K", "white"], ["k", "black"]]) {
      if (count(king) === 0) report("error", `no-${colour}-king`, `no ${colour} king`);
      if (count(king) > 1) report("error", `several-${colour}-kings`, `${count(king)} ${colour} kings`);
    }
    for (let index = 0; index < 64; index++) {
      const rank = index >> 3;
      if (pieces[index].toLowerCase() === "p" && (rank === 0 || rank === 7)) {
        report("error", "pawn-on-back-rank", `pawn on ${squareName(index, "white")}`);
      }
    }
    for (const white of [true, false]) {
      const letter = (piece) => (white ? piece.toUpperCase() : piece);
      const colour = white ? "white" : "black";
      const pawns = count(letter("p"));
      if (pawns > 8) report("error", "too-many-pawns", `${pawns} ${colour} pawns`);
      const promoted = Math.max(0, count(letter("q")) - 1) + ["r", "b", "n"].reduce((sum, piece) => sum + Math.max(0, count(letter(piece)) - 2), 0);
      if (pawns <= 8 && promoted > 8 - pawns) {
        report("error", "impossible-material", `${colour} has ${counted(promoted, "promoted piece")} and ${counted(pawns, "pawn")}`);
      }
    }
    const resting = state.turn === "w" ? "k" : "K";
    if (count("K") === 1 && count("k") === 1 && attacked(pieces, pieces.indexOf(resting), state.turn === "w")) {
      report("error", "opponent-in-check", `the king of the side not to move is in check`);
    }
    if (!/^(-|K?Q?k?q?)$/.test(state.castling) || state.castling === "") {
      report("error", "castling-syntax", `castling "${state.castling}" is not - or letters out of KQkq`);
    } else if (state.castling !== "-" && [...state.castling].some((right) => !homeCastling(state).includes(right))) {
      report("error", "castling-dropped", `castling ${state.castling}, but king and rooks at home allow ${homeCastling(state)}`);
    }
    if (state.enPassant !== "-") {
      const wanted = state.turn === "w" ? "6" : "3";
      if (!/^[a-h][36]$/.test(state.enPassant) || state.enPassant[1] !== wanted) {
        report("error", "en-passant-rank", `en passant target ${state.enPassant} must be on rank ${wanted}`);
      } else {
        const step = state.turn === "w" ? 8 : -8;
        const target = "abcdefgh".indexOf(state.enPassant[0]) + 8 * (8 - Number(state.enPassant[1]));
        const pawn = state.turn === "w" ? "p" : "P";
        if (pieces[target + step] !== pawn) report("error", "en-passant-no-pawn", `no pawn has just passed ${state.enPassant}`);
        if (pieces[target] !== "." || pieces[target - step] !== ".") {
          report("error", "en-passant-occupied", `${state.enPassant} and the square behind it must be empty`);
        }
      }
    }
    if (!/^\d{1,4}$/.test(state.halfmove)) report("error", "counter-syntax", "the halfmove clock is not a number");
    if (!/^[1-9]\d{0,4}$/.test(state.fullmove)) report("error", "counter-syntax", "the fullmove number is not a number from 1");
    return found;
  }
  const kingMissing = (index) => check(states[index]).some(({ code }) => /^no-.*-king$/.test(code));

  // ---- which boards are shown, in which order ---------------------------------------------------------------

  let shown = [];
  const worst = boards
    .map((_, index) => index)
    .sort((a, b) => boards[b].is_doubtful - boards[a].is_doubtful || boards[a].confidence - boards[b].confidence || a - b);

  function arrange() {
    const page = $("page").value.trim();
    const keep = {
      all: () => true,
      doubtful: (index) => isOpen(index) || (boards[index].is_doubtful && !isTouched(index)),
      "no-king": kingMissing,
      problem: (index) => check(states[index]).length > 0,
      corrected: isTouched,
    }[$("filter").value];
    const order = $("order").value === "worst" ? worst : boards.map((_, index) => index);
    shown = order.filter((index) => keep(index) && (page === "" || String(boards[index].source.page ?? "") === page));
    $("boards").replaceChildren(...shown.map((index) => cardOf(index)));
    if (shown.length === 0) $("boards").append(make("p", {}, "No board to show."));
    updateCounts();
  }

  function updateCounts() {
    const open = boards.reduce((sum, _, index) => sum + openDoubts(index).length, 0);
    const touched = boards.filter((_, index) => isTouched(index)).length;
    const turned = boards.filter((_, index) => isWayUpOpen(index)).length;
    $("counts").textContent =
      `${counted(boards.length, "board")}, ${shown.length} shown · ${counted(open, "doubtful square")} open · ` +
      (turned ? `way up of ${counted(turned, "board")} open · ` : "") + `${counted(touched, "board")} reviewed`;
  }

  // ---- cards, filled only while they are near the window -----------------------------------------------------

  const cards = new Map();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const index = Number(entry.target.dataset.index);
        if (entry.isIntersecting) fill(index);
        else if (index !== current) empty(index);
      }
    },
    { rootMargin: "900px 0px" },
  );

  function cardOf(index) {
    let card = cards.get(index);
    if (!card) {
      card = make("article", { class: "card", "data-index": index, "aria-label": where(boards[index]) });
      cards.set(index, card);
      watcher.observe(card);
    }
    return card;
  }

  function empty(index) {
    const card = cards.get(index);
    if (!card.hasChildNodes()) return;
    card.style.minHeight = card.offsetHeight + "px";
    card.replaceChildren();
  }

  function fill(index) {
    const card = cardOf(index);
    if (card.hasChildNodes()) return card;
    const board = boards[index];
    const text = $("picture-" + index);
    card.style.minHeight = "";
    card.append(
      make("h2", {}, make("span", { class: "where" }, where(board)), make("span", { class: "state" })),
      make(
        "div",
        { class: "pair" },
        make(
          "figure",
          {},
          make(
            "div",
            { class: "source" },
            text && make("img", { src: text.textContent, width: board.size[0], height: board.size[1], alt: "Picture of " + where(board), draggable: "false" }),
            make("svg", { viewBox: `0 0 ${board.size[0]} ${board.size[1]}`, preserveAspectRatio: "none", "aria-hidden": "true", onclick: (event) => clickSource(event, index) }),
          ),
          make("figcaption", {}, "picture"),
        ),
        make("figure", {}, boardElement(index), make("figcaption", { class: "view" })),
      ),
      make("ul", { class: "doubts", "aria-label": "Doubtful squares" }),
      fieldsElement(index),
      make("output", { class: "fen", "aria-label": "FEN" }),
      make(
        "div",
        { class: "links" },
        make("button", { type: "button", class: "copy", onclick: () => copy(fen(states[index]), "FEN copied") }, "Copy FEN"),
        make("a", { class: "analysis", target: "_blank", rel: "noopener noreferrer" }, "lichess analysis"),
        make("a", { class: "editor", target: "_blank", rel: "noopener noreferrer" }, "lichess editor"),
      ),
      make("ul", { class: "problems", "aria-label": "Problems of the position" }),
    );
    refresh(index);
    return card;
  }

  function boardElement(index) {
    const grid = make("div", {
      class: "board", role: "grid", tabindex: "0", "aria-label": "Read position, " + where(boards[index]),
      "aria-roledescription": "chess board", // Only focus that came by keyboard: a click says itself which square it means.
      onfocus: (event) => { if (current !== index && event.target.matches(":focus-visible")) choose(index, boards[index].doubtful[0] ?? 0, false); },
    });
    for (let row = 0; row < 8; row++) {
      const line = make("div", { role: "row" });
      for (let column = 0; column < 8; column++) {
        const square = 8 * row + column;
        line.append(
          make("div", {
            class: "square" + ((row + column) % 2 ? " dark" : ""), role: "gridcell", id: `square-${index}-${square}`,
            onclick: () => { choose(index, square); openPalette(); },
          }),
        );
      }
      grid.append(line);
    }
    return grid;
  }

  function fieldsElement(index) {
    const field = (name, label, hint) =>
      make("label", {}, label + " ", make("input", {
        class: name, "aria-label": hint, onchange: (event) => {
          const value = event.target.value.trim() || "-";
          change(index, (state) => { state[name] = value; if (name === "castling") state.castlingInferred = false; });
        },
      }));
    return make(
      "div",
      { class: "fields" },
      make("button", { type: "button", class: "turn", onclick: () => turn(index) }),
      make("button", { type: "button", class: "rotate", onclick: () => rotate(index) }, "Rotate 180°"),
      make("button", { type: "button", class: "leave-out", "aria-pressed": "false", onclick: () => leaveOut(index) }, "Not a board"),
      field("castling", "Castling", "Castling rights"),
      field("enPassant", "En passant", "En passant target"),
      field("halfmove", "Halfmove", "Halfmove clock"),
      field("fullmove", "Move", "Fullmove number"),
    );
  }

  /** Brings a filled card up to its state. */
  function refresh(index) {
    const card = cards.get(index);
    if (!card || !card.hasChildNodes()) return;
    const [board, state] = [boards[index], states[index]];
    const find = (selector) => card.querySelector(selector);
    card.classList.toggle("current", index === current);
    card.classList.toggle("left-out", state.leftOut);

    const open = openDoubts(index).length;
    find(".state").replaceChildren(
      make("span", { class: "badge " + (isOpen(index) || (board.is_doubtful && !isTouched(index)) ? "doubt" : isTouched(index) ? "done" : "sure") },
        state.leftOut ? "left out" : open ? `${open} doubtful` : isWayUpOpen(index) ? "way up in doubt" : isCorrected(index) ? "corrected" : isTouched(index) ? "confirmed" : board.is_doubtful ? "doubtful" : "sure"),
      ` ${percent(board.confidence)}`,
    );
    for (let square = 0; square < 64; square++) {
      const cell = $(`square-${index}-${square}`);
      const doubtful = board.doubtful.includes(square);
      const settled = doubtful && state.settled.includes(square);
      cell.classList.toggle("doubt", doubtful && !settled);
      cell.classList.toggle("settled", settled);
      cell.classList.toggle("cursor", index === current && square === cursor);
      const name = squareName(square, state.below);
      const piece = state.pieces[square];
      cell.setAttribute("aria-label", `${name}, ${pieceName(piece)}` +
        (doubtful ? (settled ? ", settled" : `, doubtful, ${percent(board.square_confidence[square])} sure`) : ""));
      cell.setAttribute("aria-selected", String(index === current && square === cursor));
      cell.replaceChildren(...(piece === "." ? [] : [drawPiece(piece)]),
        ...(square >= 56 || square % 8 === 0 ? [make("span", { class: "name", "aria-hidden": "true" }, square === 56 ? name : square >= 56 ? name[0] : name[1])] : []));
    }
    const grid = find(".board");
    if (index === current && cursor !== null) grid.setAttribute("aria-activedescendant", `square-${index}-${cursor}`);
    find(".view").textContent = state.below === "white" ? "read position, White below" : "read position, Black below (seen from Black)";
    find(".source svg").replaceChildren(...overlay(index));
    const listed = board.doubtful.slice(0, LISTED_DOUBTS);
    const further = board.doubtful.length - listed.length;
    find(".doubts").replaceChildren(
      ...listed.map((square) => doubtItem(index, square)),
      ...(further ? [make("li", {}, `and ${further} more, outlined on the board`)] : []),
      ...(board.is_way_up_in_doubt ? [wayUpItem(index)] : []),
    );

    const given = (name, value) => (value === board.fields[name].value ? board.fields[name].provenance : "given");
    find(".turn").replaceChildren((state.turn === "w" ? "White" : "Black") + " to move ", make("small", {}, given("turn", state.turn)));
    find(".leave-out").setAttribute("aria-pressed", String(state.leftOut));
    for (const name of ["castling", "enPassant", "halfmove", "fullmove"]) find("input." + name).value = state[name];
    const text = fen(state);
    find(".fen").textContent = text;
    const path = text.split(" ").map(encodeURIComponent).join("_").replaceAll("%2F", "/");
    find(".analysis").setAttribute("href", "https://lichess.org/analysis/standard/" + path);
    find(".editor").setAttribute("href", "https://lichess.org/editor/" + path);
    const problems = check(state);
    find(".problems").replaceChildren(
      ...problems.map(({ severity, code, message }) => make("li", { class: severity, "data-code": code }, `${severity}: ${message}`)),
      ...board.notes.map((note) => make("li", { class: "note" }, note)),
    );
  }

  function doubtItem(index, square) {
    const [board, state] = [boards[index], states[index]];
    const settled = state.settled.includes(square);
    const read = board.pieces[square];
    const second = board.seconds[square];
    const label = `${squareName(square, state.below)}: ` + (settled
      ? pieceName(state.pieces[square]) + (state.pieces[square] === read ? " (kept)" : " (given)")
      : `${pieceName(read)} ${percent(board.square_confidence[square])}, or ${pieceName(second)}`);
    return make("li", {}, make("button", { type: "button", class: settled ? "settled" : "", onclick: () => { choose(index, square); openPalette(); } }, label));
  }

  function wayUpItem(index) {
    const side = states[index].below === "white" ? "White" : "Black";
    const open = isWayUpOpen(index);
    const label = open ? `${side} below? Confirm, or rotate` : `${side} below (${states[index].below === boards[index].below ? "confirmed" : "given"})`;
    return make("li", {}, make("button", { type: "button", class: "way-up" + (open ? "" : " settled"), onclick: () => settleWayUp(index) }, label));
  }

  /** The homography of the unit square to the quad: where a point of the board lies in the picture. */
  function projector(quad) {
    const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = quad;
    const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
    const [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2];
    const determinant = dx1 * dy2 - dx2 * dy1;
    const g = (sx * dy2 - dx2 * sy) / determinant;
    const h = (dx1 * sy - sx * dy1) / determinant;
    const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
    const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
    return (u, v) => {
      const w = g * u + h * v + 1;
      return [(a * u + b * v + c) / w, (d * u + e * v + f) / w];
    };
  }

  function overlay(index) {
    const board = boards[index];
    const project = projector(board.quad);
    const point = (u, v) => project(u, v).map((value) => value.toFixed(1)).join(" ");
    let lines = "";
    for (let step = 0; step <= 8; step++) {
      lines += `M${point(step / 8, 0)}L${point(step / 8, 1)}M${point(0, step / 8)}L${point(1, step / 8)}`;
    }
    const outline = (square, name) => {
      const [column, row] = [square % 8, square >> 3];
      const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => point((column + x) / 8, (row + y) / 8));
      return make("polygon", { class: name, points: corners.join(" ") });
    };
    return [
      make("path", { class: "lattice", d: lines }),
      ...board.doubtful.map((square) => outline(square, "doubt" + (states[index].settled.includes(square) ? " settled" : ""))),
      ...(index === current && cursor !== null ? [outline(cursor, "cursor")] : []),
    ];
  }

  function clickSource(event, index) {
    const area = event.currentTarget.getBoundingClientRect();
    const [width, height] = boards[index].size;
    const x = ((event.clientX - area.left) / area.width) * width;
    const y = ((event.clientY - area.top) / area.height) * height;
    const project = projector(boards[index].quad);
    // The square whose middle lies nearest: right on any board that is not folded.
    let best = 0;
    let least = Infinity;
    for (let square = 0; square < 64; square++) {
      const [px, py] = project(((square % 8) + 0.5) / 8, ((square >> 3) + 0.5) / 8);
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (distance < least) [best, least] = [square, distance];
    }
    choose(index, best);
    openPalette();
  }

  // ---- choosing and changing ----------------------------------------------------------------------------------

  const announce = (text) => { $("announcer").textContent = text; };

  function describe() {
    const [board, state] = [boards[current], states[current]];
    const doubt = openDoubts(current).includes(cursor) ? `, doubtful, second choice ${pieceName(board.seconds[cursor])}` : "";
    const asked = isAskedWayUp(current, cursor) ? `. Is ${state.below === "white" ? "White" : "Black"} below? Enter confirms, o rotates` : "";
    return `${squareName(cursor, state.below)}, ${pieceName(state.pieces[cursor])}${doubt}${asked}`;
  }

  function choose(index, square, focus = true) {
    const before = current;
    [current, cursor] = [index, square];
    if (before >= 0 && before !== index) {
      refresh(before);
      closePalette();
    }
    const card = fill(index);
    refresh(index);
    if (before !== index) {
      const area = card.getBoundingClientRect();
      if (area.top < 130 || area.bottom > innerHeight) card.scrollIntoView({ block: area.height > innerHeight - 150 ? "start" : "nearest" });
    }
    if (focus) card.querySelector(".board").focus({ preventScroll: true });
    if (!$("palette").hidden) openPalette();
    announce((before !== index ? where(boards[index]) + ". " : "") + describe());
  }

  /** Changes the state of a board, so that it can be undone and is saved. */
  function change(index, edit) {
    const before = structuredClone(states[index]);
    edit(states[index]);
    if (states[index].castlingInferred) states[index].castling = homeCastling(states[index]);
    if (JSON.stringify(before) === JSON.stringify(states[index])) return;
    undoStack.push({ index, before, cursor: index === current ? cursor : null });
    if (undoStack.length > 1000) undoStack.shift();
    refresh(index);
    updateCounts();
    save(index);
  }

  function undo() {
    const last = undoStack.pop();
    if (!last) return announce("Nothing to undo");
    states[last.index] = last.before;
    choose(last.index, last.cursor ?? cursor ?? 0);
    updateCounts();
    save(last.index);
    announce("Undone. " + describe());
  }

  function put(piece) {
    if (current < 0) return;
    const square = cursor;
    const wasDoubtful = boards[current].doubtful.includes(square);
    change(current, (state) => {
      state.pieces = state.pieces.slice(0, square) + piece + state.pieces.slice(square + 1);
      if (wasDoubtful && !state.settled.includes(square)) state.settled = [...state.settled, square].sort((a, b) => a - b);
    });
    closePalette();
    if (wasDoubtful) nextDoubt();
    else announce(describe());
  }

  function keep() {
    if (current >= 0 && openDoubts(current).includes(cursor)) put(states[current].pieces[cursor]);
    else if (current >= 0 && isAskedWayUp(current, cursor)) settleWayUp(current);
    else nextDoubt();
  }

  /** The way up is asked once no square of a board is open, with the cursor on its last square. */
  const WAY_UP_SQUARE = 63;
  const isAskedWayUp = (index, square) => square === WAY_UP_SQUARE && openDoubts(index).length === 0 && isWayUpOpen(index);

  function settleWayUp(index) {
    change(index, (state) => { state.wayUpSettled = true; });
    if (index === current) nextDoubt();
  }

  function turn(index) {
    change(index, (state) => { state.turn = state.turn === "w" ? "b" : "w"; });
    announce((states[index].turn === "w" ? "White" : "Black") + " to move");
  }

  function rotate(index) {
    change(index, (state) => { state.below = state.below === "white" ? "black" : "white"; state.wayUpSettled = boards[index].is_way_up_in_doubt; });
    announce("Rotated, " + states[index].below + " below");
  }

  function leaveOut(index) {
    change(index, (state) => { state.leftOut = !state.leftOut; });
    announce(states[index].leftOut ? "Left out" : "Kept as a board");
  }

  function nextDoubt(direction = 1) {
    const stops = shown.flatMap((index) => {
      const squares = openDoubts(index).map((square) => [index, square]);
      return squares.length === 0 && isWayUpOpen(index) ? [[index, WAY_UP_SQUARE]] : squares;
    });
    if (stops.length === 0) {
      closePalette();
      return announce("No doubt is open");
    }
    const place = (index, square) => shown.indexOf(index) * 64 + square;
    const here = current < 0 ? -1 : place(current, cursor);
    const ahead = stops.filter(([index, square]) => (direction > 0 ? place(index, square) > here : place(index, square) < here));
    const next = direction > 0 ? (ahead[0] ?? stops[0]) : (ahead.at(-1) ?? stops.at(-1));
    choose(...next);
  }

  function nextBoard(direction) {
    const at = shown.indexOf(current);
    const index = shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? 0 : at + direction))];
    if (index !== undefined) choose(index, openDoubts(index)[0] ?? (isWayUpOpen(index) ? WAY_UP_SQUARE : 0));
  }

  function move(columns, rows) {
    if (current < 0) return nextBoard(0);
    const column = Math.min(7, Math.max(0, (cursor % 8) + columns));
    const row = Math.min(7, Math.max(0, (cursor >> 3) + rows));
    choose(current, 8 * row + column);
  }

  // ---- the palette, for mouse and finger ----------------------------------------------------------------------

  const palette = $("palette");
  palette.append(make("p"));
  for (const piece of ["K", "Q", "R", "B", "N", "P", ".", "k", "q", "r", "b", "n", "p"]) {
    palette.append(make("button", { type: "button", "data-piece": piece, "aria-label": pieceName(piece), title: pieceName(piece), onclick: () => put(piece) }, piece === "." ? "–" : drawPiece(piece)));
  }
  palette.append(make("button", { type: "button", "aria-label": "Close", title: "Close", onclick: closePalette }, "×"));

  function openPalette() {
    palette.hidden = false;
    palette.firstChild.textContent = describe();
  }
  function closePalette() { palette.hidden = true; }

  // ---- keyboard -------------------------------------------------------------------------------------------------

  const keys = {
    Enter: keep, ".": () => nextDoubt(1), ",": () => nextDoubt(-1), " ": () => put("."), s: () => current >= 0 && put(boards[current].seconds[cursor]),
    ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
    "]": () => nextBoard(1), "[": () => nextBoard(-1), t: () => current >= 0 && turn(current), o: () => current >= 0 && rotate(current),
    x: () => current >= 0 && leaveOut(current), u: undo, Escape: closePalette, "?": () => $("help").showModal(),
  };
  for (const piece of PIECES) keys[piece] = () => put(piece);

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.closest("input")) {
      event.preventDefault();
      return undo();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $("help").open) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    // A focused button or link keeps its own keys.
    if ((event.key === "Enter" || event.key === " ") && event.target.closest("button, a")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // ---- documents ------------------------------------------------------------------------------------------------

  /** What a person decided about a board, as a line of corrections.jsonl. */
  function correction(index) {
    const [board, state] = [boards[index], states[index]];
    return {
      type: "correction", source: board.source, quad: board.place, placement: placement(state), below: state.below,
      turn: state.turn, castling: state.castling, castling_inferred: state.castlingInferred, en_passant: state.enPassant,
      halfmove: state.halfmove, fullmove: state.fullmove, left_out: state.leftOut,
      settled: state.settled.map((square) => squareName(square, state.below)), way_up_settled: state.wayUpSettled,
    };
  }

  function applyCorrection(index, saved) {
    const state = states[index];
    let pieces = "";
    for (const rank of saved.placement.split("/")) pieces += rank.replace(/\d/g, (run) => ".".repeat(Number(run)));
    if (pieces.length !== 64) return;
    Object.assign(state, {
      pieces: saved.below === "white" ? pieces : [...pieces].reverse().join(""), below: saved.below, turn: saved.turn,
      castling: saved.castling, castlingInferred: saved.castling_inferred, enPassant: saved.en_passant,
      halfmove: saved.halfmove, fullmove: saved.fullmove, leftOut: saved.left_out,
      settled: saved.settled.map((name) => squareIndex(name, saved.below)).sort((a, b) => a - b),
      wayUpSettled: saved.way_up_settled ?? false,
    });
  }

  const kept = () => boards.map((_, index) => index).filter((index) => !states[index].leftOut);
  const openNames = (index) => [
    ...openDoubts(index).map((square) => squareName(square, states[index].below)), ...(isWayUpOpen(index) ? ["which side is below"] : []),
  ];

  function pgn(index) {
    const [board, state] = [boards[index], states[index]];
    const quote = (text) => String(text).replace(/[\\"]/g, "\\$&").replace(/[\r\n]/g, " ");
    const tags = [
      ["Event", board.source.path], ["Site", "?"], ["Date", "????.??.??"], ["Round", (board.source.page ?? 1) + "." + board.source.board],
      ["White", "?"], ["Black", "?"], ["Result", "*"], ["SetUp", "1"], ["FEN", fen(state)],
    ];
    const doubts = openNames(index);
    const comment = doubts.length ? `{doubtful: ${doubts.join(", ")}} ` : "";
    return tags.map(([name, value]) => `[${name} "${quote(value)}"]\n`).join("") + `\n${comment}*\n`;
  }

  const csvCell = (value) => {
    let text = String(value ?? "");
    // A spreadsheet would run a cell that begins like a formula.
    if (/^[=+@\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const documents = {
    fen: () => kept().map((index) => fen(states[index]) + "\n").join(""),
    pgn: () => kept().map(pgn).join("\n"),
    csv: () => [["path", "page", "board", "fen", "confidence", "doubtful", "corrected"],
      ...kept().map((index) => [boards[index].source.path, boards[index].source.page, boards[index].source.board, fen(states[index]),
        (boards[index].confidence / 1000).toFixed(4), openNames(index).join(" "), isCorrected(index)])]
      .map((row) => row.map(csvCell).join(",") + "\r\n").join(""),
    corrections: () => boards.map((_, index) => index).filter(isTouched).map((index) => JSON.stringify(correction(index)) + "\n").join(""),
  };

  function download(kind) {
    const name = kind === "corrections" ? "corrections.jsonl" : "positions." + kind;
    const link = make("a", { href: URL.createObjectURL(new Blob([documents[kind]()], { type: "text/plain" })), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function copy(text, message) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    announce(message);
    $("saving").textContent = message;
  }

  // ---- keeping the corrections: at the review server, or in this browser for a file ------------------------------

  const queue = new Map();
  let sending = false;

  function save(index) {
    if (!job.server) return saveHere();
    queue.set(index, true);
    send();
  }

  async function send() {
    if (sending) return;
    sending = true;
    while (queue.size > 0) {
      const [index] = queue.keys();
      queue.delete(index);
      const body = isTouched(index) ? correction(index) : { ...correction(index), withdrawn: true };
      try {
        const answer = await fetch("corrections", {
          method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...body, revision: revisions[index] }),
        });
        if (answer.status === 409) {
          takeOver(index, await answer.json());
          $("saving").textContent = where(boards[index]) + " was changed in another window; that version is shown now";
        } else if (answer.status === 400) {
          // The same again would be refused again; the board's list of problems says what to change.
          $("saving").textContent = "Not saved: " + (await answer.text());
          $("saving").classList.add("failed");
          continue;
        } else if (!answer.ok) throw new Error(await answer.text());
        else {
          revisions[index] = (await answer.json()).revision;
          $("saving").textContent = "All corrections are saved";
        }
        $("saving").classList.remove("failed");
      } catch (error) {
        queue.set(index, true);
        $("saving").textContent = "Not saved: " + (error.message || "the review server does not answer") + "; trying again";
        $("saving").classList.add("failed");
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
    sending = false;
  }

  /** Takes over what another window saved. */
  function takeOver(index, record) {
    revisions[index] = record.revision;
    states[index] = initial(boards[index]);
    if (record.correction && !record.correction.withdrawn) applyCorrection(index, record.correction);
    undoStack = undoStack.filter((entry) => entry.index !== index);
    refresh(index);
    updateCounts();
  }

  async function lookAgain() {
    if (!job.server || queue.size > 0 || sending) return;
    try {
      const answer = await fetch("corrections");
      if (!answer.ok) return;
      for (const record of await answer.json()) {
        const index = boards.findIndex((board) => key(board) === key(record.correction));
        if (index >= 0 && revisions[index] !== record.revision) takeOver(index, record);
      }
    } catch { /* the next save says that the server is gone */ }
  }
  const key = ({ source }) => [source.path, source.sha256, source.page ?? "", source.board].join(" ");

  function saveHere() {
    try {
      localStorage.setItem(STORAGE_KEY, documents.corrections());
      $("saving").textContent = "Kept in this browser; save corrections.jsonl to hand them on";
    } catch { $("saving").textContent = "Not kept when this page is closed: save corrections.jsonl"; }
  }

  function restore() {
    const byKey = new Map(boards.map((board, index) => [key(board), index]));
    const take = (saved, revision) => {
      const index = byKey.get(key(saved));
      if (index === undefined) return;
      if (!saved.withdrawn) applyCorrection(index, saved);
      revisions[index] = revision;
    };
    for (const record of job.corrections) take(record.correction, record.revision);
    if (job.server) return;
    try {
      for (const line of (localStorage.getItem(STORAGE_KEY) ?? "").split("\n")) if (line) take(JSON.parse(line), 0);
    } catch { /* no storage, or something else in it */ }
  }

  // ---- start ----------------------------------------------------------------------------------------------------

  restore();
  const otherItems = job.others.map((other) => make("li", {}, `${other.path}${other.page ? ", page " + other.page : ""}: ${other.message}`));
  if (otherItems.length) $("others").append(make("details", {}, make("summary", {}, `${counted(otherItems.length, "input or page", "inputs or pages")} without a board`), make("ul", {}, ...otherItems)));
  for (const id of ["filter", "order"]) $(id).addEventListener("change", arrange);
  $("page").addEventListener("input", arrange);
  $("next-doubt").addEventListener("click", () => nextDoubt());
  $("undo").addEventListener("click", undo);
  $("copy-all").addEventListener("click", () => copy(documents.fen(), kept().length + " FENs copied"));
  $("save").addEventListener("change", (event) => { if (event.target.value) download(event.target.value); event.target.value = ""; });
  $("help-button").addEventListener("click", () => $("help").showModal());
  addEventListener("focus", lookAgain);
  addEventListener("beforeunload", (event) => { if (queue.size > 0) event.preventDefault(); });
  arrange();
  document.documentElement.dataset.ready = "true";
})();
