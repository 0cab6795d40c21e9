import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { checkTarget, DeliveryFailure, type FailureKind, Outgoing } from './outgoing.ts'

type Options = ConstructorParameters<typeof Outgoing>[0]

const message = { headers: { 'content-type': 'application/json' }, body: '{"id":1}' }
const publicly = '93.184.215.14'

function outgoing(t: TestContext, options: Partial<Options> = {}): Outgoing {
  const made = new Outgoing({ allowPrivate: true, ...options })
  t.after(() => made.close())
  return made
}

type Receiver = { port: number; url: string; connections: Socket[] }

/** Passes every connection to the test and records it. */
async function listen(t: TestContext, server: Server, event: string, onConnection: (socket: Socket) => void, host = '127.0.0.1', port = 0) {
  const connections: Socket[] = []
  server.on(event, (socket: Socket) => {
    connections.push(socket)
    socket.on('error', () => {})
    // A socket that is not read does not notice that it was closed either.
    socket.resume()
    onConnection(socket)
  })
  server.on('tlsClientError', () => {})
  t.after(() => {
    server.close()
    for (const socket of connections) socket.destroy()
  })
  server.listen(port, host)
  await once(server, 'listening')
  const given = server.address() as AddressInfo
  return { port: given.port, url: `http://127.0.0.1:${given.port}/hooks?tenant=7`, connections }
}

function receiver(t: TestContext, onConnection: (socket: Socket) => void): Promise<Receiver> {
  return listen(t, createServer(), 'connection', onConnection)
}

/** Answers every request with these bytes. The requests are small enough to arrive in one piece. */
const answering =
  (...bytes: (string | Buffer)[]) =>
  (socket: Socket): void => {
    socket.on('data', () => {
      for (const piece of bytes) socket.write(piece)
    })
  }

const withLength = (body: string, status = '200 OK') => `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

async function allClosed(sockets: Socket[]): Promise<void> {
  for (const socket of sockets) if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

async function rejectsAs(kind: FailureKind, promise: Promise<unknown>, pattern = /\.$/): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof DeliveryFailure, String(error))
    assert.equal(error.kind, kind, error.reason)
    assert.match(error.reason, pattern)
    return true
  })
}

/** Listens on both loopback addresses and must not receive anything. */
async function canary(t: TestContext) {
  const answer = answering(withLength('received'))
  const four = await receiver(t, answer)
  // Not every machine has IPv6.
  const six = await listen(t, createServer(), 'connection', answer, '::1', four.port).catch(() => undefined)
  return { port: four.port, received: () => four.connections.length + (six?.connections.length ?? 0) }
}

// Attacks.

const loopbacks = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
]
const otherPrivates = [
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  'localhost.',
  '169.254.169.254',
  '0xa9fea9fe',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '[fe80::1]',
  '[fd00:ec2::254]',
  'metadata.google.internal',
  'a.localhost',
  'printer.local',
  'nas.home.arpa',
  'postgres',
  'example.com@127.0.0.1',
  '127.0.0.1#@example.com',
]

test('no notation of an address that is not public is connected to, whatever a resolver returns', async (t) => {
  const { port, received } = await canary(t)
  const sender = outgoing(t, { allowPrivate: false, resolve: async () => [publicly] })
  for (const host of [...loopbacks, ...otherPrivates]) {
    for (const scheme of ['http', 'https']) {
      const url = host.includes('#') ? `${scheme}://${host.replace('#', `:${port}/#`)}/` : `${scheme}://${host}:${port}/`
      assert.ok(await checkTarget(url, { allowPrivate: false, resolve: async () => [publicly] }), url)
      await rejectsAs('address_refused', sender.post(url, message))
    }
  }
  assert.equal(received(), 0)
})

test('the same addresses are connected to where that is allowed, which proves that the test above can fail', async (t) => {
  const { port, received } = await canary(t)
  const sender = outgoing(t)
  for (const host of loopbacks) {
    const url = `http://${host}:${port}/`
    assert.equal(await checkTarget(url, { allowPrivate: true }), undefined)
    assert.equal((await sender.post(url, message)).body, 'received', host)
  }
  assert.ok(received() > 0)
})

test('a name is not connected to if any of its addresses is not public', async (t) => {
  const { port, received } = await canary(t)
  const url = `https://receiver.example:${port}/`
  const mixtures = [
    ['127.0.0.1'],
    ['::1'],
    [publicly, '127.0.0.1'],
    ['127.0.0.1', publicly],
    ['2606:4700:4700::1111', '::1'],
    ['::ffff:127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['127.1'],
    ['localhost'],
    [''],
  ]
  for (const addresses of mixtures) {
    const resolve = async () => addresses
    assert.equal(await checkTarget(url, { allowPrivate: false, resolve }), 'resolves to an address that is not public')
    await rejectsAs('address_refused', outgoing(t, { allowPrivate: false, resolve }).post(url, message), /not public\.$/)
  }
  assert.equal(received(), 0)
})

test('a name that turns private after it was checked is not connected to', async (t) => {
  const { port, received } = await canary(t)
  const url = `https://receiver.example:${port}/`
  const answers = [[publicly], ['127.0.0.1'], ['127.0.0.1', '::1'], [publicly, '::1']]
  const resolve = async () => answers.shift() ?? assert.fail('asked too often')
  assert.equal(await checkTarget(url, { allowPrivate: false, resolve }), undefined)
  const sender = outgoing(t, { allowPrivate: false, resolve })
  for (let time = 0; time < 3; time++) await rejectsAs('address_refused', sender.post(url, message))
  assert.equal(received(), 0)
})

test('a name is resolved once for each connection, and the connection uses that address', async (t) => {
  const { port, connections } = await receiver(t, answering(withLength('')))
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    return asked.length === 1 ? ['127.0.0.1'] : []
  }
  const { status } = await outgoing(t, { resolve }).post(`http://receiver.example:${port}/`, message)
  assert.equal(status, 200)
  assert.deepEqual(asked, ['receiver.example'])
  assert.equal(connections.length, 1)
})

test('a redirect is returned as an answer and not followed', async (t) => {
  const { port, received } = await canary(t)
  const sender = outgoing(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const redirecting = await receiver(
      t,
      answering(`HTTP/1.1 ${status} Gone\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 0\r\n\r\n`),
    )
    assert.equal((await sender.post(redirecting.url, message)).status, status)
  }
  assert.equal(received(), 0)
})

test('a name that does not resolve, or not in time, is accepted when stored and fails when called', async (t) => {
  const url = 'https://receiver.example/'
  const resolvers = [async () => [], () => Promise.reject(new Error('queryA ESERVFAIL'))]
  for (const resolve of resolvers) {
    assert.equal(await checkTarget(url, { allowPrivate: false, resolve }), undefined)
    await rejectsAs('not_resolved', outgoing(t, { allowPrivate: false, resolve }).post(url, message))
  }
  await receiver(t, () => {}) // Keeps the test alive, which an unreferenced timer does not.
  assert.equal(await checkTarget(url, { allowPrivate: false, resolve: () => new Promise(() => {}), timeout_ms: 20 }), undefined)
})

// Answers.

test('the request arrives as given, and the answer is returned', async (t) => {
  let request = ''
  const { url, port } = await receiver(t, (socket) => {
    socket.on('data', (data) => {
      request += data
    })
    answering(withLength('no such tenant', '404 Not Found'))(socket)
  })
  const body = '{"name":"Åse"}'
  const answer = await outgoing(t).post(url, { headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body })
  assert.equal(answer.status, 404)
  assert.equal(answer.body, 'no such tenant')
  assert.ok(Number.isInteger(answer.duration_ms) && answer.duration_ms >= 0)
  const [head = '', ...rest] = request.split('\r\n\r\n')
  assert.match(head, /^POST \/hooks\?tenant=7 HTTP\/1\.1\r\n/)
  assert.match(head, new RegExp(`\r\nhost: 127\\.0\\.0\\.1:${port}\r\n`, 'i'))
  assert.match(head, /\r\nwebhook-id: evt_1\r\n/i)
  assert.match(head, new RegExp(`\r\ncontent-length: ${Buffer.byteLength(body)}$`, 'im'))
  assert.equal(rest.join(''), body)
})

test('an answer may lack a body, a length or valid characters', async (t) => {
  const sender = outgoing(t)
  const answerTo = async (...bytes: (string | Buffer)[]) => {
    const { url } = await receiver(t, (socket) => {
      socket.on('data', () => {
        for (const piece of bytes) socket.write(piece)
        socket.end()
      })
    })
    const { status, body } = await sender.post(url, message)
    return { status, body }
  }
  assert.deepEqual(await answerTo('HTTP/1.1 204 No Content\r\n\r\n'), { status: 204, body: '' })
  assert.deepEqual(await answerTo('HTTP/1.0 200 OK\r\n\r\nuntil the end'), { status: 200, body: 'until the end' })
  assert.deepEqual(await answerTo('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n'), {
    status: 200,
    body: 'abc',
  })
  assert.deepEqual(await answerTo('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n', Buffer.from([0x61, 0xff, 0x00, 0x62])), {
    status: 200,
    body: 'a\ufffd\ufffdb',
  })
})

test('informational responses before the answer are skipped', async (t) => {
  const { url } = await receiver(
    t,
    answering('HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', withLength('done')),
  )
  const { status, body } = await outgoing(t).post(url, message)
  assert.deepEqual({ status, body }, { status: 200, body: 'done' })
})

test('only the beginning of a long answer is read, and its connection is closed', async (t) => {
  const sender = outgoing(t)
  const whole = await receiver(t, answering(withLength('a'.repeat(16_384))))
  assert.equal((await sender.post(whole.url, message)).body.length, 16_384)
  const long = await receiver(t, answering(withLength('a'.repeat(16_385), '500 Oh')))
  const answer = await sender.post(long.url, message)
  assert.equal(answer.status, 500)
  assert.equal(answer.body.length, 16_384)
  await allClosed(long.connections)
})

test('an endless answer is cut after its beginning', async (t) => {
  const { url, connections } = await receiver(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => {
        while (socket.writable && socket.write('a'.repeat(4_096))) {}
      }
      socket.on('drain', pour)
      pour()
    })
  })
  const { status, body } = await outgoing(t).post(url, message)
  assert.equal(status, 200)
  assert.equal(body, 'a'.repeat(16_384))
  await allClosed(connections)
})

test('a slow answer counts from its status line on, and is cut at the time limit', async (t) => {
  const { url } = await receiver(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const drip = setInterval(() => socket.write('a'), 50)
      socket.on('close', () => clearInterval(drip))
    })
  })
  const { status, body } = await outgoing(t, { timeout_ms: 3_000 }).post(url, message)
  assert.equal(status, 200)
  assert.match(body, /^a*$/)
})

// Failures.

test('a host that does not listen is a failure to connect', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const sender = outgoing(t, { resolve: async () => ['127.0.0.1', '::1'] })
  await rejectsAs('not_connected', sender.post(`http://127.0.0.1:${port}/`, message), /ECONNREFUSED/)
  await rejectsAs('not_connected', sender.post(`http://receiver.example:${port}/`, message))
  await rejectsAs('not_connected', sender.post(`https://receiver.example:${port}/`, message))
})

test('if one address of a name does not listen, the others are tried', async (t) => {
  const { port } = await receiver(t, answering(withLength('')))
  const sender = outgoing(t, { resolve: async () => ['::1', '127.0.0.1'] })
  assert.equal((await sender.post(`http://receiver.example:${port}/`, message)).status, 200)
})

test('a connection that closes before the answer is a failure, and the next request gets another connection', async (t) => {
  const endings: ((socket: Socket) => void)[] = [
    (socket) => socket.end(),
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhalf'),
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.resetAndDestroy()),
    // Undici treats this as an attack on the order of responses.
    (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ]
  const count = endings.length
  const { url } = await receiver(t, (socket) => {
    socket.on('data', () => (endings.shift() ?? answering(withLength('')))(socket))
    if (endings.length === 0) answering(withLength(''))(socket)
  })
  const sender = outgoing(t)
  for (let time = 0; time < count; time++) await rejectsAs('closed', sender.post(url, message))
  assert.equal((await sender.post(url, message)).status, 200)
})

test('a response that is not HTTP, or has endless headers, is a failure', async (t) => {
  const sender = outgoing(t)
  const many = `HTTP/1.1 200 OK\r\n${'x-filling: a\r\n'.repeat(2_000)}\r\n`
  const long = `HTTP/1.1 200 OK\r\nx-filling: ${'a'.repeat(20_000)}\r\n\r\n`
  for (const bytes of ['SSH-2.0-OpenSSH_9.6\r\n', '\0\x01\x02\x03garbage', 'HTTP/9.9 OK\r\n\r\n', 'HTTP/1.1 2000 OK\r\n\r\n', many, long]) {
    const { url } = await receiver(t, answering(bytes))
    await rejectsAs('not_http', sender.post(url, message))
  }
})

test('two contradictory lengths are a failure and cannot smuggle an answer', async (t) => {
  const { url } = await receiver(t, answering('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'))
  await assert.rejects(outgoing(t).post(url, message), DeliveryFailure)
})

test('a header that cannot be sent is a bug and not a failure of the receiver', async (t) => {
  const { url } = await receiver(t, answering(withLength('')))
  await assert.rejects(outgoing(t).post(url, { headers: { 'x-y': 'a\r\nb: c' }, body: '' }), (error) => !(error instanceof DeliveryFailure))
})

// Time-outs.

test('the time limit covers name resolution', async (t) => {
  const sender = outgoing(t, { timeout_ms: 50, resolve: () => new Promise(() => {}) })
  await rejectsAs('timeout', sender.post('http://receiver.example/', message), /not be reached within 0\.05 s/)
})

test('the time limit covers the handshake', async (t) => {
  const { port } = await receiver(t, () => {})
  await rejectsAs('timeout', outgoing(t, { timeout_ms: 100 }).post(`https://127.0.0.1:${port}/`, message), /not be reached/)
})

test('the time limit covers sending', async (t) => {
  const { url } = await receiver(t, (socket) => socket.pause())
  const body = Buffer.alloc(32 * 1_048_576)
  await rejectsAs('timeout', outgoing(t, { timeout_ms: 3_000 }).post(url, { headers: {}, body }), /did not answer/)
})

test('the time limit covers waiting for an answer, and the connection is closed', async (t) => {
  const pieces = ['', 'HTTP/1.1 200 OK\r\nx-half: ', 'HTTP/1.1 103 Early Hints\r\n\r\n']
  await Promise.all(
    pieces.map(async (piece) => {
      const { url, connections } = await receiver(t, answering(piece))
      await rejectsAs('timeout', outgoing(t, { timeout_ms: 3_000 }).post(url, message), /did not answer/)
      await allClosed(connections)
    }),
  )
})

test('a request that waits too long for others to the same host fails unsent, and one whose turn comes has the whole time', async (t) => {
  const { url, connections } = await receiver(t, () => {})
  const sender = outgoing(t, { timeout_ms: 300, mostPerLane: 2 })
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => sender.post(url, message)))
  const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason.reason) : 'answered'))
  const waited = reasons.filter((reason) => reason.includes('not sent, because 2 earlier requests'))
  assert.ok(waited.length > 0)
  // Undici opens a new connection after a dropped one, even if there is nothing to send.
  const sent = connections.filter(({ bytesRead }) => bytesRead > 0)
  assert.ok(sent.length <= 20 - waited.length, `${sent.length} were sent, ${waited.length} waited`)
})

// Connections.

test('connections are reused, and there are few more of them than concurrent requests', async (t) => {
  let open = 0
  let most = 0
  const { url, connections } = await receiver(t, (socket) => {
    most = Math.max(most, ++open)
    socket.on('close', () => open--)
    answering(withLength('ok'))(socket)
  })
  const sender = outgoing(t, { mostPerLane: 4 })
  const answers = await Promise.all(Array.from({ length: 500 }, () => sender.post(url, message)))
  assert.ok(answers.every(({ status, body }) => status === 200 && body === 'ok'))
  for (let time = 0; time < 50; time++) await sender.post(url, message)
  // A connection whose response has just arrived may not be free for the next request yet.
  assert.ok(most <= 8, `${most} at once`)
  assert.ok(connections.length <= 12, `${connections.length} connections for 550 requests`)
})

test('a lane that hangs does not delay another to the same host', async (t) => {
  let hang = true
  const { url, connections } = await receiver(t, (socket) => {
    if (!hang) answering(withLength(''))(socket)
  })
  const sender = outgoing(t, { mostPerLane: 2, timeout_ms: 60_000 })
  const stuck = Promise.allSettled(Array.from({ length: 4 }, () => sender.post(url, { ...message, lane: 'a' })))
  while (connections.length < 2) await new Promise(setImmediate)
  hang = false
  assert.equal((await sender.post(url, { ...message, lane: 'b' })).status, 200)
  await sender.close()
  assert.ok((await stuck).every(({ status }) => status === 'rejected'))
})

test('a host that hangs does not delay another', async (t) => {
  const hanging = await receiver(t, () => {})
  const { url } = await receiver(t, answering(withLength('')))
  const sender = outgoing(t, { mostPerLane: 2, timeout_ms: 60_000 })
  const hung = Promise.allSettled(Array.from({ length: 10 }, () => sender.post(hanging.url, message)))
  assert.equal((await sender.post(url, message)).status, 200)
  await sender.close()
  await hung
})

test('close aborts requests in progress, leaves no connection, and nothing is sent afterwards', async (t) => {
  const { url, port, connections } = await receiver(t, () => {})
  const sender = outgoing(t, {
    mostPerLane: 2,
    resolve: async (name) => (name === 'slow.example' ? new Promise(() => {}) : ['127.0.0.1']),
  })
  const targets = [url, url, url, `https://127.0.0.1:${port}/`, 'http://slow.example/']
  const posts = targets.map((target) => rejectsAs('closed', sender.post(target, message), /stopping/))
  while (connections.length < 3) await new Promise(setImmediate)
  await sender.close()
  await Promise.all(posts)
  await allClosed(connections)
  await rejectsAs('closed', sender.post(url, message), /stopping/)
  assert.equal(connections.length, 3)
})

// TLS. The certificate for receiver.example is self-signed and valid from 2020 to 2120.

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdOeMb3dVG9PqvL62
KStYXQj7JxqfzzR3OwHeC4+9s4ChRANCAARZzhF6krHbsLWU18lW0GRCNtZ3yZnp
BLT7IYIcCUmugyDVzj7fCNtr8e/rpehxZWvAClcHzcS7qtW7N13LS516
-----END PRIVATE KEY-----`

const cert = `-----BEGIN CERTIFICATE-----
MIIBdjCCARygAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBByZWNlaXZl
ci5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBByZWNlaXZlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEWc4RepKx27C1lNfJVtBkQjbWd8mZ6QS0+yGCHAlJroMg1c4+3wjba/Hv66Xo
cWVrwApXB83Eu6rVuzddy0udeqNPME0wGwYDVR0RBBQwEoIQcmVjZWl2ZXIuZXhh
bXBsZTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBTXmryrhSZn9YZ1uoTHkLSe
LbV7XzAKBggqhkjOPQQDAgNIADBFAiAUJ+Y+jed7n2WKZiF0Of9JYBrDZqdKsWKk
GPgor2S5agIhAMEQyp7qQo4rtvLFZCBABgPc5nfMXaD3lQxjVcsOdsO7
-----END CERTIFICATE-----`

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`with ${maxVersion}, a certificate is accepted only from a trusted authority and for the name in the URL`, async (t) => {
    let requests = 0
    const { port, connections } = await listen(t, createTlsServer({ key, cert, maxVersion }), 'secureConnection', (socket) => {
      socket.on('data', () => requests++)
      answering(withLength('safe'))(socket)
    })
    const sender = outgoing(t, { resolve: async () => ['127.0.0.1'] })
    const post = (host: string) => sender.post(`https://${host}:${port}/`, message)
    await rejectsAs('tls', post('receiver.example'), /DEPTH_ZERO_SELF_SIGNED_CERT/)

    const usual = getCACertificates('default')
    setDefaultCACertificates([...usual, cert])
    t.after(() => setDefaultCACertificates(usual))
    // A second attempt might resume a session and skip the checks.
    for (const host of ['other.example', '127.0.0.1', 'other.example', '127.0.0.1']) {
      await rejectsAs('tls', post(host), /ERR_TLS_CERT_ALTNAME_INVALID/)
    }
    assert.equal(requests, 0)
    assert.equal((await post('receiver.example')).body, 'safe')
    assert.equal((connections.at(-1) as TLSSocket).servername, 'receiver.example')
    await rejectsAs('tls', post('other.example'), /ERR_TLS_CERT_ALTNAME_INVALID/)
    assert.equal(requests, 1)
  })
}

test('a host that does not speak TLS, or aborts the handshake, is a failure to make a secure connection', async (t) => {
  const sender = outgoing(t)
  for (const act of [answering(withLength('plain')), (socket: Socket) => socket.destroy(), (socket: Socket) => socket.end()]) {
    const { port } = await receiver(t, act)
    await rejectsAs('tls', sender.post(`https://127.0.0.1:${port}/`, message))
  }
})
