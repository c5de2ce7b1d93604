"""Quads, warps and grey pictures: what scenes, locator and refiner share.

Grey pictures are uint8 [height, width]. Points are (x, y) in pixels with pixel i covering i..i+1, so a pixel's
middle is at +0.5 and scaling a picture by s scales its points by exactly s. A quad is float32 [4, 2], the corners
of the 8x8 field, clockwise in the picture.
"""
import cv2
import numpy as np


def quad_of_box(left, top, right, bottom):
    """Corners [4, 2] of an upright rectangle, clockwise from the top left."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def side_of(quad):
    """Side in pixels of the square with the quad's area."""
    return float(np.sqrt(abs(cv2.contourArea(np.ascontiguousarray(quad, np.float32)))))


def homography(source, target):
    """The 3x3 map that brings the quad `source` to the quad `target`."""
    return cv2.getPerspectiveTransform(np.asarray(source, np.float32), np.asarray(target, np.float32))


def transform(points, matrix):
    """Points [..., 2] mapped by a 3x3 matrix."""
    points = np.asarray(points, np.float64)
    return cv2.perspectiveTransform(points.reshape(1, -1, 2), matrix).reshape(points.shape).astype(np.float32)


def warp(picture, matrix, size, **options):
    """Maps a picture by a 3x3 matrix between points (pixel middles at +0.5) to `size` (width, height), bilinear."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    options.setdefault("flags", cv2.INTER_LINEAR)
    return cv2.warpPerspective(picture, np.linalg.inv(half) @ matrix @ half, size, **options)


def blur(grey, sigma):
    """Gaussian blur; sigma in pixels."""
    return cv2.GaussianBlur(grey, (0, 0), sigma)


def resize(grey, width, height):
    """Area averaging when shrinking, bilinear when growing."""
    shrinking = width * height < grey.shape[0] * grey.shape[1]
    return cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR)


def roll_to_top_left(quad):
    """The same quad, starting with the corner that stands visually top left.

    The board is taken to be turned by -45 to 45 degrees: of the four edges the one that points most to the right
    is the top.
    """
    edges = np.roll(quad, -1, 0) - quad
    return np.roll(quad, -int(np.argmax(edges[:, 0] / np.linalg.norm(edges, axis=1))), 0)


def turn_of(quad):
    """Angle of a quad's first edge and third edge together, in degrees from horizontal; positive is clockwise."""
    edge = (quad[1] - quad[0]) + (quad[2] - quad[3])
    return float(np.degrees(np.arctan2(edge[1], edge[0])))


def corner_error(quad, true):
    """Worst corner coordinate error as a part of the true side, whichever corner comes first."""
    return min(np.abs(np.roll(quad, turn, 0) - true).max() for turn in range(4)) / side_of(true)
