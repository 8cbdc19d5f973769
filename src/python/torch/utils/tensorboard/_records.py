"""Records of an event file: their checksums, and the few messages of protocol buffers that are written."""

import struct


def _table():
    made = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        made.append(byte)
    return made


_TABLE = _table()


def checksum(data):
    """CRC-32C, masked as TensorFlow's files have it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    size = struct.pack("<Q", len(data))
    return size + struct.pack("<I", checksum(size)) + data + struct.pack("<I", checksum(data))


def varint(number):
    number &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


# Fields with the value zero aren't written.


def whole(field, number):
    return varint(field << 3) + varint(number) if number else b""


def double(field, number):
    packed = struct.pack("<d", number)
    return varint(field << 3 | 1) + packed if any(packed) else b""


def single(field, number):
    try:
        packed = struct.pack("<f", number)
    except OverflowError:
        packed = struct.pack("<f", float("inf") if number > 0 else float("-inf"))
    return varint(field << 3 | 5) + packed


def part(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def doubles(field, numbers):
    return part(field, struct.pack(f"<{len(numbers)}d", *numbers)) if len(numbers) else b""


def event(walltime, step=None, summary=None, version=None):
    out = double(1, walltime) + (whole(2, int(step)) if step is not None else b"")
    if version is not None:
        return out + part(3, version) + part(10, part(1, "tensorboard.summary.writer.event_file_writer"))
    return out + part(5, summary)
