// The files of certificates: what is wrong with them is said at the start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartupError } from '../../platform/startup-error.ts'
import { filesIn } from '../../testing/testing.certificates.ts'
import { certificateFolder, makeCertificates } from '../../testing/testing.vop.ts'
import { readIdentity, readTrusted, secondsUntil } from './payees.vop.certificates.ts'

const { server, client, expired } = makeCertificates()
const files = filesIn(certificateFolder(), {
  both: `${server.cert}\n${client.cert}`,
  key: server.key,
  other: client.key,
  none: 'nothing',
  broken: server.cert.replace(/MII.{8}/, 'MIIAAAAAAAA'),
})

test('a certificate comes with its key, and a file may have several', () => {
  const { cert, key, expires_at } = readIdentity({ certificateFile: files.both, keyFile: files.key })
  assert.deepEqual([cert, key], [`${server.cert}\n${client.cert}`, server.key])
  assert.ok(secondsUntil(expires_at) > 3_600)
  assert.equal(readTrusted(files.both).length, 2)
  const old = filesIn(certificateFolder(), { cert: expired.cert, key: expired.key })
  assert.ok(secondsUntil(readIdentity({ certificateFile: old.cert, keyFile: old.key }).expires_at) < 0)
})

test('files that cannot be used are named', () => {
  const fault = (act: () => unknown): string => {
    try {
      act()
    } catch (error) {
      assert.ok(error instanceof StartupError, String(error))
      return error.message
    }
    return assert.fail('was accepted')
  }
  assert.match(
    fault(() => readIdentity({ certificateFile: files.both, keyFile: files.other })),
    /does not have the private key/,
  )
  assert.match(
    fault(() => readIdentity({ certificateFile: files.both, keyFile: files.none })),
    /does not have the private key/,
  )
  assert.match(
    fault(() => readIdentity({ certificateFile: `${files.both}.no`, keyFile: files.key })),
    /cannot be read: ENOENT/,
  )
  assert.match(
    fault(() => readTrusted(files.none)),
    /has no certificates/,
  )
  assert.match(
    fault(() => readTrusted(files.broken)),
    /or one that cannot be read/,
  )
})
