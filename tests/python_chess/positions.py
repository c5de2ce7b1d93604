"""Positions of random games as python-chess sees them, for tests/python_chess.rs to agree with.

    python tests/python_chess/positions.py --seed 1 --count 2000 > tests/python_chess/sample.tsv

A development tool: python-chess (GPL) runs here as a program of its own and is no part of img2fen. Every second game is
Chess960. After every move one line, columns between tabs:

    1  start FEN when a game begins, with `960` before it for Chess960; else empty
    2  the move in UCI notation (in Chess960 castling is king takes rook)
    3  the move in SAN, or empty (every eighth move, and every move of `--san`)
    4  FEN after it, X-FEN castling, en passant target after every double step
    5  1 when a legal en passant capture exists, else 0
    6  castling rights as Shredder writes them
    7  castling rights as KQkq
    8  the same position damaged in one to four places
    9  names of the faults that python-chess finds in it, between commas, and two that it lets pass: `no-last-move` when no
       move of python-chess leads to one or two checks, and `corner-king` when a king that stands in a corner, where none
       stands at the start of Chess960, has a castling right
"""

import argparse
import random
import sys

import chess

FAULTS = [
    ("empty", chess.STATUS_EMPTY),
    ("no-white-king", chess.STATUS_NO_WHITE_KING),
    ("no-black-king", chess.STATUS_NO_BLACK_KING),
    ("too-many-kings", chess.STATUS_TOO_MANY_KINGS),
    ("too-many-white-pawns", chess.STATUS_TOO_MANY_WHITE_PAWNS),
    ("too-many-black-pawns", chess.STATUS_TOO_MANY_BLACK_PAWNS),
    ("pawns-on-backrank", chess.STATUS_PAWNS_ON_BACKRANK),
    ("too-many-white-pieces", chess.STATUS_TOO_MANY_WHITE_PIECES),
    ("too-many-black-pieces", chess.STATUS_TOO_MANY_BLACK_PIECES),
    ("bad-castling-rights", chess.STATUS_BAD_CASTLING_RIGHTS),
    ("invalid-ep-square", chess.STATUS_INVALID_EP_SQUARE),
    ("opposite-check", chess.STATUS_OPPOSITE_CHECK),
    ("too-many-checkers", chess.STATUS_TOO_MANY_CHECKERS),
    ("impossible-check", chess.STATUS_IMPOSSIBLE_CHECK),
]
# Few kings, because with two of a colour little else can be compared.
PIECES = 5 * "PNBRRQQpnbrrqq" + "Kk"


def standard_castling(board: chess.Board) -> str:
    """The rights as KQkq, by the side of the king on which each rook stands."""
    letters = ""
    for color, wings in ((chess.WHITE, "KQ"), (chess.BLACK, "kq")):
        if board.has_kingside_castling_rights(color):
            letters += wings[0]
        if board.has_queenside_castling_rights(color):
            letters += wings[1]
    return letters or "-"


def random_castling(generator: random.Random, chess960: bool) -> str:
    """A castling field that may say anything."""
    letters = "KQ" if not chess960 or generator.random() < 0.5 else "HGFEDCBA"
    white = generator.sample(letters, generator.randrange(3))
    black = generator.sample(letters.lower(), generator.randrange(3))
    return "".join(white + black) or "-"


def damaged(board: chess.Board, generator: random.Random) -> chess.Board:
    """A copy with one to four changes of squares or fields."""
    copy = board.copy(stack=False)
    for _ in range(generator.randint(1, 4)):
        kind = generator.random()
        square = generator.randrange(64)
        if kind < 0.45:
            copy.set_piece_at(square, chess.Piece.from_symbol(generator.choice(PIECES)))
        elif kind < 0.65:
            copy.remove_piece_at(square)
        elif kind < 0.75:
            copy.turn = not copy.turn
        elif kind < 0.88:
            copy.set_castling_fen(random_castling(generator, board.chess960))
        else:
            rank = generator.choice((2, 5, 2, 5, generator.randrange(8)))
            copy.ep_square = chess.square(generator.randrange(8), rank)
    return copy


def raw_fen(board: chess.Board) -> str:
    """The FEN with every castling right as it is, also those that cannot be."""
    rights = ""
    for color, rank in ((chess.WHITE, 0), (chess.BLACK, 7)):
        for file in reversed(range(8)):
            if board.castling_rights & chess.BB_SQUARES[chess.square(file, rank)]:
                letter = chess.FILE_NAMES[file]
                rights += letter.upper() if color else letter
    target = chess.SQUARE_NAMES[board.ep_square] if board.ep_square is not None else "-"
    turn = "w" if board.turn else "b"
    return f"{board.board_fen()} {turn} {rights or '-'} {target} {board.halfmove_clock} {board.fullmove_number}"


def before(board: chess.Board, changes: dict[int, chess.Piece | None]) -> chess.Board:
    """The board with other pieces on some squares and the other side to move."""
    copy = board.copy(stack=False)
    copy.turn = not board.turn
    copy.ep_square = None
    copy.castling_rights = 0
    for square, piece in changes.items():
        copy.set_piece_at(square, piece)
    return copy


def leads_to(earlier: chess.Board, move: chess.Move, king: int) -> bool:
    """True when the king that is not to move is in no check, and the move goes by the way pieces move."""
    if earlier.attackers_mask(earlier.turn, king):
        return False
    return move in earlier.generate_pseudo_legal_moves(chess.BB_SQUARES[move.from_square])


def has_last_move(board: chess.Board) -> bool:
    """True when some move leads to the checks; every move to every square is tried."""
    king = board.king(board.turn)
    mover = not board.turn
    captured = chess.Piece(chess.KNIGHT, board.turn)
    forward = 8 if mover else -8
    target = board.ep_square
    if target is not None and not board.status() & chess.STATUS_INVALID_EP_SQUARE:
        pawn = chess.Piece(chess.PAWN, mover)
        changes = {target + forward: None, target - forward: pawn}
        move = chess.Move(target - forward, target + forward)
        return leads_to(before(board, changes), move, king)
    for arrival, piece in board.piece_map().items():
        if piece.color != mover:
            continue
        is_last_rank = chess.square_rank(arrival) == (7 if mover else 0)
        roles = {piece.piece_type}
        if is_last_rank and piece.piece_type != chess.KING:
            roles.add(chess.PAWN)
        for origin in chess.SQUARES:
            if board.piece_at(origin):
                continue
            for role in roles:
                if role == chess.PAWN and chess.square_rank(origin) == (0 if mover else 7):
                    continue
                promotion = chess.QUEEN if role == chess.PAWN and is_last_rank else None
                move = chess.Move(origin, arrival, promotion)
                moved = {origin: chess.Piece(role, mover)}
                for taken in (None, captured):
                    if leads_to(before(board, {**moved, arrival: taken}), move, king):
                        return True
                beside, over = arrival - forward, arrival + forward
                is_en_passant = (
                    role == chess.PAWN
                    and chess.square_rank(arrival) == (5 if mover else 2)
                    and not board.piece_at(beside)
                    and not board.piece_at(over)
                )
                if is_en_passant:
                    pawn = chess.Piece(chess.PAWN, board.turn)
                    earlier = before(board, {**moved, arrival: None, beside: pawn})
                    earlier.ep_square = arrival
                    if leads_to(earlier, move, king):
                        return True
    return has_castled(board, king)


def has_castled(board: chess.Board, king: int) -> bool:
    """True when castling from anywhere leads to the checks; squares that castling must not cross are not looked at."""
    mover = not board.turn
    home = 0 if mover else 56
    pieces = [chess.Piece(role, mover) for role in (chess.KING, chess.ROOK)]
    for files in ((6, 5), (2, 3)):
        if [board.piece_at(home + file) for file in files] != pieces:
            continue
        bare = before(board, {home + file: None for file in files})
        for king_file in range(1, 7):
            rook_files = range(king_file + 1, 8) if files[0] == 6 else range(king_file)
            for rook_file in rook_files:
                concerned = (*files, king_file, rook_file)
                way = range(min(concerned), max(concerned) + 1)
                if any(bare.piece_at(home + file) for file in way):
                    continue
                earlier = bare.copy(stack=False)
                for file, piece in zip((king_file, rook_file), pieces):
                    earlier.set_piece_at(home + file, piece)
                if not earlier.attackers_mask(mover, king):
                    return True
    return False


def has_corner_king(board: chess.Board) -> bool:
    """True when a king in a corner has a castling right that python-chess lets stand."""
    for color, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        king = board.king(color)
        if king is not None and chess.BB_SQUARES[king] & chess.BB_CORNERS & rank:
            if board.clean_castling_rights() & rank:
                return True
    return False


def faults(board: chess.Board) -> str:
    """Names of what is wrong."""
    status = board.status()
    names = [name for name, flag in FAULTS if status & flag]
    kings = chess.popcount(board.kings & board.occupied_co[board.turn])
    checkers = chess.popcount(board.checkers_mask())
    if kings == 1 and 0 < checkers <= 2 and not has_last_move(board):
        names.append("no-last-move")
    if has_corner_king(board):
        names.append("corner-king")
    return ",".join(names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True, help="positions")
    parser.add_argument("--san", action="store_true", help="write SAN for every move")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    out = sys.stdout
    written = 0
    games = 0
    while written < options.count:
        if games % 2:
            board = chess.Board.from_chess960_pos(generator.randrange(960))
            start = "960 " + board.fen(shredder=True)
        else:
            board = chess.Board()
            start = board.fen()
        games += 1
        longest = generator.choice((40, 80, 160, 320))
        while written < options.count and len(board.move_stack) < longest:
            moves = list(board.legal_moves)
            if not moves:
                break
            move = generator.choice(moves)
            san = board.san(move) if options.san or written % 8 == 0 else ""
            uci = board.uci(move)
            board.push(move)
            broken = damaged(board, generator)
            line = (
                start,
                uci,
                san,
                board.fen(en_passant="fen"),
                "1" if board.has_legal_en_passant() else "0",
                board.castling_shredder_fen(),
                standard_castling(board),
                raw_fen(broken),
                faults(broken),
            )
            out.write("\t".join(line) + "\n")
            start = ""
            written += 1


if __name__ == "__main__":
    main()
