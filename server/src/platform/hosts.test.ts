import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hosts, hostUrls } from './hosts.ts'

test('a URL with one host stays as it is', () => {
  for (const url of [
    'postgres://vostro:secret@db.example/vostro',
    'postgresql://vostro:secret@db.example:5433/vostro?sslmode=verify-full',
    'postgres:///vostro?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/vostro',
    'postgres://[::1]:5433/vostro',
    'postgres://db.example/vostro?target_session_attrs=read-write',
  ]) {
    assert.deepEqual(hostUrls(url), [url])
  }
})

test('a URL with several hosts becomes one URL for each, with the same login, database and parameters', () => {
  assert.deepEqual(hostUrls('postgres://vostro:secret@db1:5433,10.0.0.2,[::1]:5434/vostro?sslmode=disable&target_session_attrs=primary'), [
    'postgres://vostro:secret@db1:5433/vostro?sslmode=disable&target_session_attrs=primary',
    'postgres://vostro:secret@10.0.0.2/vostro?sslmode=disable&target_session_attrs=primary',
    'postgres://vostro:secret@[::1]:5434/vostro?sslmode=disable&target_session_attrs=primary',
  ])
  assert.deepEqual(hostUrls('postgresql://db1,db2/vostro'), ['postgresql://db1/vostro', 'postgresql://db2/vostro'])
  assert.deepEqual(hostUrls('postgres://db1:5433,db1:5434/vostro'), ['postgres://db1:5433/vostro', 'postgres://db1:5434/vostro'])
})

test('a password may contain commas and the characters around a host', () => {
  assert.deepEqual(hostUrls('postgres://vostro:a,b:1@c@db1,db2/vostro'), [
    'postgres://vostro:a,b:1@c@db1/vostro',
    'postgres://vostro:a,b:1@c@db2/vostro',
  ])
})

test('what is not a URL of PostgreSQL, or names its hosts in another way, is refused without repeating any of it', () => {
  const refusals: [RegExp, string[]][] = [
    [
      /^must look like postgres:\/\//,
      [
        '',
        'db1,db2',
        'mysql://hunter2@db1,db2/vostro',
        'postgres:hunter2',
        'postgres://hunter2@/vostro',
        'postgres://hunter2@db:port/vostro',
      ],
    ],
    [
      /but host 2 of 2 does not$/,
      [
        'postgres://hunter2@db1,/vostro',
        'postgres://hunter2@db1,:5432/vostro',
        'postgres://hunter2@db1,db2:/vostro',
        'postgres://hunter2@db1,db2:0/vostro',
        'postgres://hunter2@db1,db 2/vostro',
        'postgres://hunter2@db1,::1/vostro',
      ],
    ],
    [/but host 1 of 3 does not$/, ['postgres://hunter2@,db1,db2/vostro', 'postgres://hunter2@db1:five,db2,db3/vostro']],
    [/^must look like postgres:\/\//, ['postgres://hunter2@db1,db2:70000/vostro']],
    [/^must name each host once, but host 3 repeats host 1$/, ['postgres://hunter2@db1,db2,DB1:5432/vostro']],
    [
      /^must name several hosts before the database/,
      [
        'postgres://hunter2@db1,db2/vostro?host=db3',
        'postgres://hunter2@db1,db2/vostro?port=1',
        'postgres:///vostro?host=db1,db2&user=hunter2',
      ],
    ],
    [
      /^must not ask for another target_session_attrs/,
      ['postgres://hunter2@db1,db2/vostro?target_session_attrs=any', 'postgres://hunter2@db1/vostro?target_session_attrs=prefer-standby'],
    ],
  ]
  for (const [sentence, urls] of refusals) {
    for (const url of urls) {
      assert.throws(
        () => hostUrls(url),
        (error: Error) => {
          assert.match(error.message, sentence, url)
          assert.doesNotMatch(error.message, /hunter2/)
          return true
        },
      )
    }
  }
})

test('the host where the primary was found last is tried first, and the others keep their order', () => {
  const hosts = new Hosts(['a', 'b', 'c'])
  assert.deepEqual(hosts.urls, ['a', 'b', 'c'])
  hosts.prefer('c')
  assert.deepEqual(hosts.urls, ['c', 'a', 'b'])
  hosts.prefer('c')
  assert.deepEqual(hosts.urls, ['c', 'a', 'b'])
  hosts.prefer('b')
  assert.deepEqual(hosts.urls, ['b', 'c', 'a'])
})
