// Reads a ZIP archive as a strict program would: by its directory, comparing every size and checksum.
import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'

export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22
  assert.equal(archive.readUInt32LE(end), 0x06054b50, 'the archive has no end')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50)
    const [crc, compressed, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)]
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const start = archive.readUInt32LE(at + 42)
    assert.equal(archive.readUInt32LE(start), 0x04034b50)
    const from = start + 30 + archive.readUInt16LE(start + 26)
    const content = inflateRawSync(archive.subarray(from, from + compressed))
    assert.deepEqual([content.length, crc32(content)], [size, crc], name)
    assert.equal(archive.readUInt32LE(from + compressed), 0x08074b50)
    assert.ok(!files.has(name), `${name} is there twice`)
    files.set(name, content.toString('utf8'))
    at += 46 + nameLength
  }
  assert.equal(at, end)
  return files
}
