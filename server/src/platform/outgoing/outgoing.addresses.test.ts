import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { isPublic, readTarget, resolveByDns } from './outgoing.addresses.ts'

/** The first and last address of each private range, and well-known addresses in between. */
const notPublic: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.0.0.53', '127.255.255.255'],
  'link-local, with the metadata of most clouds': ['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  documentation: ['192.0.2.0', '192.0.2.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  'AS112 and AMT': ['192.31.196.1', '192.52.193.1', '192.175.48.1'],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  benchmarking: ['198.18.0.0', '198.19.255.255'],
  multicast: ['224.0.0.0', '239.255.255.255'],
  reserved: ['240.0.0.0', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  'the Azure host': ['168.63.129.16'],
  'unspecified and loopback in IPv6': ['::', '::1', '0:0:0:0:0:0:0:1'],
  'IPv4-compatible': ['::2', '::127.0.0.1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  'NAT64 to what is not public': ['64:ff9b::', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
  'NAT64 of a network of its own': ['64:ff9b:1::', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  'the rest before global unicast': ['64:ff9b:2::1', '100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::', '200::1', '1fff:ffff::1'],
  Teredo: ['2001::', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'protocol assignments in IPv6': [
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff::1',
  ],
  'documentation in IPv6': ['2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
  '6to4': ['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff::1'],
  'AS112 in IPv6': ['2620:4f:8000::1'],
  'what is not given out yet': ['4000::1', '5f00::', '5f00:ffff::1', '8000::1', 'e000::1', 'fbff::1'],
  'unique local': ['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'],
  'link-local in IPv6': ['fe80::', 'fe80::1', 'fe80::1%eth0', 'febf:ffff::1'],
  'site-local': ['fec0::', 'fec0::1', 'feff:ffff::1'],
  'multicast in IPv6': ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'no address in the usual notation': [
    '',
    'example.com',
    '127.1',
    '010.8.8.8',
    '0x08080808',
    '134744072',
    '8.8.8',
    '8.8.8.8 ',
    '[2606:4700::1111]',
  ],
}

for (const [range, addresses] of Object.entries(notPublic)) {
  test(`not public: ${range}`, () => {
    assert.deepEqual(addresses.filter(isPublic), [])
  })
}

test('addresses next to those ranges are public', () => {
  const addresses = [
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '2000::',
    '2001:200::',
    '2001:4860:4860::8888',
    '2001:db7::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
    '3ffe:ffff::1',
    '3fff:1000::1',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ]
  assert.deepEqual(
    addresses.filter((address) => !isPublic(address)),
    [],
  )
})

const read = (text: string, allowPrivate = false) => {
  const url = readTarget(text, { allowPrivate })
  return typeof url === 'string' ? url : url.href
}

test('an ordinary https URL is accepted, with a port, a path, a query, a trailing dot, non-Latin letters or a public address', () => {
  const fine = [
    'https://example.com/',
    'https://example.com:8443/hooks?tenant=7',
    'https://example.com./',
    'https://münchen.example/ä',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]/',
    'https://local.example/',
    'https://mylocalhost.example/',
  ]
  for (const text of fine) assert.equal(read(text), new URL(text).href)
})

test('a refused URL is returned with the reason', () => {
  assert.equal(read(`https://example.com/${'a'.repeat(2_029)}`), 'is longer than 2048 characters')
  assert.match(read(`https://example.com/${'a'.repeat(2_028)}`), /^https:/)
  for (const text of ['', 'example.com', '/hooks', 'https://', 'https://a b/', 'https://example.com:65536/', 'https://1.2.3.4.5/']) {
    assert.equal(read(text), 'is not a URL')
  }
  for (const text of ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'data:,x', 'unix:/run/x.sock']) {
    assert.equal(read(text), 'does not begin with https://')
  }
  for (const text of ['https://a@example.com/', 'https://a:b@example.com/', 'https://:b@example.com/']) {
    assert.equal(read(text), 'contains a user name or a password')
  }
  for (const text of ['https://example.com/#', 'https://example.com/#here']) assert.equal(read(text), 'contains a fragment')
  assert.equal(read('https://example.com:0/'), 'names the port 0')
})

test('names of the local machine or of a private network are refused, and allowed where private addresses are', () => {
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'a.localhost',
    'localhost.localdomain',
    'printer.local',
    'metadata.google.internal',
    'metadata.google.internal.',
    'nas.home.arpa',
    'home.arpa',
    'postgres',
    'kubernetes',
    'ai.',
  ]
  for (const name of names) {
    assert.equal(read(`https://${name}/`), 'names a host that is not public', name)
    assert.match(read(`http://${name}/`, true), /^http:/)
  }
})

test('an address that is not public is refused in every notation', () => {
  const hosts = [
    '127.0.0.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.01',
    '127.1',
    '127.0.1',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  ]
  for (const host of hosts) {
    assert.equal(read(`https://${host}/`), 'names an address that is not public', host)
    assert.match(read(`http://${host}/`, true), /^http:/)
  }
})

/** A name server for `both`, `four`, `six` and `none`, each `.example`. */
async function nameServer(t: TestContext): Promise<Resolver> {
  const socket = createSocket('udp4')
  t.after(() => socket.close())
  socket.on('message', (query, from) => {
    const name = query.subarray(13, 13 + query.readUInt8(12)).toString()
    const question = query.subarray(12, query.indexOf('\x07example\0') + 13)
    const type = question.readUInt16BE(question.length - 4)
    const known = type === 1 ? ['both', 'four'].includes(name) : ['both', 'six'].includes(name)
    const data = type === 1 ? Buffer.from([192, 0, 2, 1]) : Buffer.from('20010db8000000000000000000000001', 'hex')
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, known ? 1 : 0, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    const answer = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
    socket.send(Buffer.concat([header, question, ...(known ? [answer, data] : [])]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 5_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return resolver
}

test('a name has the addresses of both families in the DNS, and a name without any does not resolve', async (t) => {
  const resolve = resolveByDns(await nameServer(t))
  assert.deepEqual(await resolve('both.example'), ['192.0.2.1', '2001:db8::1'])
  assert.deepEqual(await resolve('four.example'), ['192.0.2.1'])
  assert.deepEqual(await resolve('six.example'), ['2001:db8::1'])
  await assert.rejects(resolve('none.example'), { code: 'ENODATA' })
})
