import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountsSettings } from './accounts/accounts.settings.ts'
import { archiveSettings } from './archive/archive.settings.ts'
import { auditSettings } from './audit/audit.settings.ts'
import { envExample, readConfig, settings } from './config.ts'
import { deskSettings } from './desk/desk.settings.ts'
import { kycSettings } from './kyc/kyc.settings.ts'
import { payeesSettings } from './payees/payees.settings.ts'
import { paymentsSettings } from './payments/payments.settings.ts'
import { platformSettings } from './platform/platform.settings.ts'
import { makeSecret } from './platform/standard-webhooks.ts'
import { StartupError } from './platform/startup-error.ts'
import { railsSettings } from './rails/rails.settings.ts'
import { requestsSettings } from './requests/requests.settings.ts'
import { sandboxSettings } from './sandbox/sandbox.settings.ts'
import { screeningSettings } from './screening/screening.settings.ts'
import { transfersSettings } from './transfers/transfers.settings.ts'
import { usersSettings } from './users/users.settings.ts'
import { venturesSettings } from './ventures/ventures.settings.ts'
import { verifySettings } from './verify/verify.settings.ts'
import { webhooksSettings } from './webhooks/webhooks.settings.ts'

const webhookSecret = makeSecret()
const address = 'postgres://vostro:hunter2@db.example/vostro'
const fingerprint = `SHA256:${'A'.repeat(43)}`

/** The one-sentence error with which a setting is refused. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error))
    assert.match(error.message, /^[^\n]+\.$/)
    return error.message
  }
  return assert.fail(`${JSON.stringify(environment)} was accepted`)
}

test('without any setting it is the embedded sandbox on the loopback', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://localhost:8080',
    instances: 1,
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    databasePoolSize: 12,
    databaseListPoolSize: 2,
    databaseWait_ms: 5_000,
    dataDir: './data',
    adminApiKey: undefined,
    defaultControl: 'OPEN',
    consoleUrl: undefined,
    adminApiKeyScopes: [],
    signInLimitFactor: 1,
    passkeysRequired: false,
    signInRetention_days: 400,
    kycWebhookSecrets: [],
    kycApiKey: undefined,
    verifier: 'sandbox',
    sumsub: {
      url: 'https://api.sumsub.com',
      appToken: '',
      secretKey: '',
      webhookSecrets: [],
      levelName: { FULL_KYC: 'basic-kyc-level', DOC_ONLY: 'basic-kyc-level' },
    },
    gateway: undefined,
    payPageLimitPerMinute: 60,
    sandbox: true,
    demoSize: 'full',
    fourEyes: false,
    webhookAllowPrivateNetwork: true,
    webhookDeliveryRetention_days: 30,
    requestLog: true,
    eventRetention_months: undefined,
    anchorFile: undefined,
    buildConsole: true,
    streamHeartbeat_ms: 15_000,
    bank: { country: 'LT', code: '99990', bic: 'VOSTLT21XXX', name: 'Vostro Sandbox Bank' },
    screenedCountries: [],
    watchlistLimit_mb: 64,
    watchlistRetention_days: 1_826,
    payeeVerificationRetention_days: 400,
    vopVia: undefined,
    vopListen: undefined,
    cardAuth_days: 7,
    railsExchange: undefined,
    railsSenders: undefined,
    railsCreditBound: undefined,
    railsAnswer_h: 24,
    railsInstant: { answer_s: 7, confirms: true },
    rateLimitPerMinute: undefined,
    hstsSubdomains: false,
    trustedProxies: [],
    metricsApiKey: undefined,
    logLevel: 'info',
  }
  assert.deepEqual(readConfig({}), defaults)
  const empty = Object.fromEntries(Object.keys(settings).map((name, index) => [name, index % 2 === 0 ? '' : '  ']))
  assert.deepEqual(readConfig(empty), defaults, 'an empty setting is not set')
})

test('requests are logged on the embedded database, unless the setting decides otherwise', () => {
  assert.equal(readConfig({}).requestLog, true)
  assert.equal(readConfig({ DATABASE_URL: address }).requestLog, false)
  assert.equal(readConfig({ REQUEST_LOG: 'off' }).requestLog, false)
  assert.equal(readConfig({ DATABASE_URL: address, REQUEST_LOG: 'on' }).requestLog, true)
})

test('every setting is taken over, without the spaces around it', () => {
  const given = {
    PORT: ' 9000 ',
    HOST: '0.0.0.0',
    INSTANCES: '4',
    PUBLIC_URL: 'https://bank.example/',
    DATABASE_URL: address,
    MIGRATION_DATABASE_URL: 'postgresql://owner@db1.example:5433,db2.example/vostro',
    DATABASE_POOL_SIZE: '40',
    DATABASE_LIST_POOL_SIZE: '5',
    DATABASE_WAIT_MS: '8000',
    DATA_DIR: '/var/vostro',
    EVENT_RETENTION: '24',
    ADMIN_API_KEY: 'k'.repeat(32),
    DEFAULT_CONTROL: 'MANAGED',
    CONSOLE_URL: 'https://console.bank.example/',
    PASSKEYS_REQUIRED: 'on',
    SIGN_IN_RETENTION_DAYS: '90',
    KYC_WEBHOOK_SECRET: `${webhookSecret}, ${webhookSecret}`,
    KYC_API_KEY: 'v'.repeat(32),
    VERIFIER: 'sumsub',
    SUMSUB_URL: 'https://sumsub.example/',
    SUMSUB_APP_TOKEN: 'token',
    SUMSUB_SECRET_KEY: 'key',
    SUMSUB_WEBHOOK_SECRET: 'one,two',
    SUMSUB_LEVEL: 'full',
    SUMSUB_DOC_LEVEL: 'documents',
    GATEWAY_URL: 'https://gateway.example/',
    GATEWAY_USER: 'shop',
    GATEWAY_PASSWORD: 'secret',
    PAY_PAGE_LIMIT_PER_MINUTE: '300',
    ADMIN_API_KEY_SCOPE: 'health, ventures:read',
    SANDBOX: 'false',
    FOUR_EYES: 'on',
    WEBHOOK_ALLOW_PRIVATE_NETWORK: 'false',
    WEBHOOK_DELIVERY_RETENTION_DAYS: '90',
    REQUEST_LOG: 'on',
    BUILD_CONSOLE: 'off',
    BANK_COUNTRY: 'gb',
    BANK_CODE: 'vost',
    BANK_BIC: 'vostgb2l',
    BANK_NAME: 'Banque Élan',
    CARD_AUTH_DAYS: '10',
    RAILS_EXCHANGE: 'sftp://vostro@clearing.example:2222/files',
    RAILS_SFTP_KEY_FILE: '/etc/vostro/sftp',
    RAILS_SFTP_HOST_KEY: fingerprint,
    RAILS_SENDERS: 'ebapfrppxxx, COBADEFF',
    RAILS_CREDIT_BOUND: '10000.00',
    RAILS_ANSWER_HOURS: '6',
    RAILS_INSTANT_ANSWER_SECONDS: '5',
    RAILS_INSTANT_CONFIRMS: 'false',
    SCREENED_COUNTRIES: 'kp, IR',
    WATCHLIST_LIMIT_MB: '100',
    WATCHLIST_RETENTION_DAYS: '3650',
    PAYEE_VERIFICATION_RETENTION_DAYS: '30',
    VOP_VIA: 'https://routing.example/',
    VOP_VIA_CERTIFICATE_FILE: '/etc/vostro/vop/client.crt',
    VOP_VIA_KEY_FILE: '/etc/vostro/vop/client.key',
    VOP_VIA_AUTHORITY_FILE: '/etc/vostro/vop/routing.crt',
    VOP_LISTEN: '[::]:8443',
    VOP_LISTEN_CERTIFICATE_FILE: '/etc/vostro/vop/server.crt',
    VOP_LISTEN_KEY_FILE: '/etc/vostro/vop/server.key',
    VOP_TRUST_FILE: '/etc/vostro/vop/trust.crt',
    RATE_LIMIT_PER_MINUTE: '900',
    HSTS_SUBDOMAINS: 'true',
    ANCHOR_FILE: '/var/log/vostro/anchors',
    TRUSTED_PROXIES: '10.0.0.7, 192.168.0.0/16,fd00::/8',
    METRICS_API_KEY: 'm'.repeat(32),
    LOG_LEVEL: 'debug',
  }
  assert.deepEqual(Object.keys(given).sort(), Object.keys(settings).sort(), 'a setting is missing in this test')
  assert.deepEqual(readConfig(given), {
    host: '0.0.0.0',
    port: 9000,
    publicUrl: 'https://bank.example',
    instances: 4,
    databaseUrl: address,
    migrationDatabaseUrl: 'postgresql://owner@db1.example:5433,db2.example/vostro',
    databasePoolSize: 40,
    databaseListPoolSize: 5,
    databaseWait_ms: 8_000,
    dataDir: '/var/vostro',
    adminApiKey: 'k'.repeat(32),
    defaultControl: 'MANAGED',
    consoleUrl: 'https://console.bank.example',
    adminApiKeyScopes: ['health', 'ventures:read'],
    signInLimitFactor: 1,
    passkeysRequired: true,
    signInRetention_days: 90,
    anchorFile: '/var/log/vostro/anchors',
    kycWebhookSecrets: [webhookSecret, webhookSecret],
    kycApiKey: 'v'.repeat(32),
    verifier: 'sumsub',
    sumsub: {
      url: 'https://sumsub.example',
      appToken: 'token',
      secretKey: 'key',
      webhookSecrets: ['one', 'two'],
      levelName: { FULL_KYC: 'full', DOC_ONLY: 'documents' },
    },
    gateway: { url: 'https://gateway.example', user: 'shop', password: 'secret' },
    payPageLimitPerMinute: 300,
    sandbox: false,
    demoSize: 'full',
    fourEyes: true,
    webhookAllowPrivateNetwork: false,
    webhookDeliveryRetention_days: 90,
    requestLog: true,
    eventRetention_months: 24,
    buildConsole: false,
    streamHeartbeat_ms: 15_000,
    bank: { country: 'GB', code: 'VOST', bic: 'VOSTGB2L', name: 'Banque Élan' },
    cardAuth_days: 10,
    railsExchange: {
      kind: 'sftp',
      user: 'vostro',
      host: 'clearing.example',
      port: 2222,
      path: '/files',
      keyFile: '/etc/vostro/sftp',
      hostKey: fingerprint,
    },
    railsSenders: ['EBAPFRPPXXX', 'COBADEFF'],
    railsCreditBound: '10000.00',
    railsAnswer_h: 6,
    railsInstant: { answer_s: 5, confirms: false },
    screenedCountries: ['KP', 'IR'],
    watchlistLimit_mb: 100,
    watchlistRetention_days: 3_650,
    payeeVerificationRetention_days: 30,
    vopVia: {
      url: 'https://routing.example',
      certificateFile: '/etc/vostro/vop/client.crt',
      keyFile: '/etc/vostro/vop/client.key',
      authorityFile: '/etc/vostro/vop/routing.crt',
    },
    vopListen: {
      host: '::',
      port: 8443,
      certificateFile: '/etc/vostro/vop/server.crt',
      keyFile: '/etc/vostro/vop/server.key',
      trustFile: '/etc/vostro/vop/trust.crt',
    },
    rateLimitPerMinute: 900,
    hstsSubdomains: true,
    trustedProxies: ['10.0.0.7', '192.168.0.0/16', 'fd00::/8'],
    metricsApiKey: 'm'.repeat(32),
    logLevel: 'debug',
  })
})

test('some defaults follow from other settings', () => {
  assert.equal(readConfig({ PORT: '9000' }).publicUrl, 'http://localhost:9000')
  const { sandbox, migrationDatabaseUrl } = readConfig({ DATABASE_URL: address })
  assert.equal(sandbox, false)
  assert.equal(migrationDatabaseUrl, address)
  assert.equal(readConfig({ SANDBOX: 'false' }).sandbox, false)
  assert.equal(readConfig({ SANDBOX: 'false' }).fourEyes, true)
  assert.equal(readConfig({ SANDBOX: 'false' }).passkeysRequired, true)
  assert.equal(readConfig({ SANDBOX: 'false' }).defaultControl, 'MANAGED')
  assert.equal(readConfig({ SANDBOX: 'false', DEFAULT_CONTROL: 'OPEN' }).defaultControl, 'OPEN')
  assert.equal(readConfig({ SANDBOX: 'false', PASSKEYS_REQUIRED: 'off' }).passkeysRequired, false)
  assert.equal(readConfig({ DATABASE_URL: address }).fourEyes, true)
  assert.equal(readConfig({ DATABASE_URL: address, FOUR_EYES: 'off' }).fourEyes, false)
  assert.equal(readConfig({ SANDBOX: 'false' }).webhookAllowPrivateNetwork, false)
  assert.equal(readConfig({ SANDBOX: 'false' }).rateLimitPerMinute, 600)
  assert.equal(readConfig({ SANDBOX: 'false', RATE_LIMIT_PER_MINUTE: 'off' }).rateLimitPerMinute, undefined)
  assert.equal(readConfig({ RATE_LIMIT_PER_MINUTE: '30' }).rateLimitPerMinute, 30)
})

test('banks ask each other about payees over TLS, and know each other by certificates', () => {
  const via = { VOP_VIA: 'https://routing.example', VOP_VIA_CERTIFICATE_FILE: '/c', VOP_VIA_KEY_FILE: '/k' }
  assert.deepEqual(readConfig(via).vopVia, {
    url: 'https://routing.example',
    certificateFile: '/c',
    keyFile: '/k',
    authorityFile: undefined,
  })
  assert.equal(refusal({ ...via, VOP_VIA: 'http://routing.example' }), 'The setting VOP_VIA must be an https URL.')
  assert.match(refusal({ ...via, VOP_VIA_CERTIFICATE_FILE: '' }), /^The setting VOP_VIA needs VOP_VIA_CERTIFICATE_FILE/)
  assert.match(refusal({ ...via, VOP_VIA_KEY_FILE: '' }), /^The setting VOP_VIA needs VOP_VIA_KEY_FILE/)
  const listen = { VOP_LISTEN: '0.0.0.0:8443', VOP_LISTEN_CERTIFICATE_FILE: '/c', VOP_LISTEN_KEY_FILE: '/k', VOP_TRUST_FILE: '/t' }
  const files = { certificateFile: '/c', keyFile: '/k', trustFile: '/t' }
  assert.deepEqual(readConfig(listen).vopListen, { host: '0.0.0.0', port: 8443, ...files })
  for (const name of ['VOP_LISTEN_CERTIFICATE_FILE', 'VOP_LISTEN_KEY_FILE', 'VOP_TRUST_FILE'])
    assert.match(refusal({ ...listen, [name]: '' }), new RegExp(`^The setting VOP_LISTEN needs ${name}`))
  for (const wrong of ['8443', '0.0.0.0', '::1:8443', '0.0.0.0:0', '0.0.0.0:65536', ':8443'])
    assert.match(refusal({ ...listen, VOP_LISTEN: wrong }), /^The setting VOP_LISTEN must be /, wrong)
})

test('files are exchanged with the clearing system over a folder or SFTP, with a known server, by two people, and never in the sandbox', () => {
  const real = { SANDBOX: 'false', RAILS_EXCHANGE: 'folder:/var/files' }
  assert.deepEqual(readConfig(real).railsExchange, { kind: 'folder', path: '/var/files' })
  assert.match(refusal({ ...real, SANDBOX: 'true' }), /^RAILS_EXCHANGE cannot be set in the sandbox/)
  assert.match(refusal({ ...real, FOUR_EYES: 'off' }), /^FOUR_EYES cannot be off while RAILS_EXCHANGE is set/)
  const sftp = { ...real, RAILS_EXCHANGE: 'sftp://vostro@clearing.example/files' }
  assert.match(refusal({ ...sftp, RAILS_SFTP_HOST_KEY: fingerprint }), /needs RAILS_SFTP_KEY_FILE/)
  assert.match(refusal({ ...sftp, RAILS_SFTP_KEY_FILE: '/etc/key' }), /needs RAILS_SFTP_HOST_KEY/)
  const { railsExchange } = readConfig({ ...sftp, RAILS_SFTP_HOST_KEY: fingerprint, RAILS_SFTP_KEY_FILE: '/etc/key' })
  assert.equal(railsExchange?.kind === 'sftp' && railsExchange.port, 22)
})

test('a card gateway is configured wholly or not at all', () => {
  for (const some of [{ GATEWAY_URL: 'https://gateway.example' }, { GATEWAY_USER: 'shop', GATEWAY_PASSWORD: 'secret' }]) {
    assert.throws(() => readConfig(some), /needs all of GATEWAY_URL, GATEWAY_USER and GATEWAY_PASSWORD/)
  }
})

test('a bad setting is refused with one sentence that names it and says what it should be', () => {
  const bad: [string, string[], RegExp][] = [
    [
      'KYC_WEBHOOK_SECRET',
      ['secret', 'whsec_c2hvcnQ=', `${webhookSecret},${webhookSecret},${webhookSecret}`],
      /one value|one or two secrets/,
    ],
    ['DEFAULT_CONTROL', ['managed', 'CLOSED'], /OPEN or MANAGED, not "/],
    ['SCREENED_COUNTRIES', ['XX', 'KP,', 'PRK'], /ISO 3166-1 alpha-2 codes, separated by commas, not "/],
    ['WATCHLIST_LIMIT_MB', ['0', '257', 'much'], /whole number from 1 to 256, not "/],
    ['CARD_AUTH_DAYS', ['0', '366', 'a week'], /whole number from 1 to 365, not "/],
    [
      'RAILS_EXCHANGE',
      ['files', 'folder:files', 'ftp://a@b/c', 'sftp://b/c', 'sftp://a:hunter2@b/c'],
      /folder: with an absolute path, or sftp:/,
    ],
    ['RAILS_SFTP_HOST_KEY', ['abc', 'MD5:aa', 'SHA256:short'], /SHA256: and 43 characters, not "/],
    ['RAILS_CREDIT_BOUND', ['10,000', '10.001', '-1', 'much'], /amount in euros with at most two decimals, not "/],
    ['RAILS_SENDERS', ['COBADEFFXXX,', 'COBA', 'the clearing system'], /BICs, separated by commas, not "/],
    ['RAILS_ANSWER_HOURS', ['0', '241', 'a day'], /whole number from 1 to 240, not "/],
    ['RAILS_INSTANT_ANSWER_SECONDS', ['0', '61', 'soon'], /whole number from 1 to 60, not "/],
    ['RAILS_INSTANT_CONFIRMS', ['yes', '1'], /true or false, not "/],
    ['KYC_API_KEY', ['short'], /at least 32 characters/],
    ['METRICS_API_KEY', ['short'], /at least 32 characters/],
    ['VERIFIER', ['me', 'SUMSUB'], /sandbox or sumsub/],
    ['GATEWAY_URL', ['gateway'], /http or https URL/],
    ['WEBHOOK_ALLOW_PRIVATE_NETWORK', ['yes'], /true or false, not "/],
    ['WATCHLIST_RETENTION_DAYS', ['0', '36501', 'for ever'], /whole number from 1 to 36500, not "/],
    ['PAYEE_VERIFICATION_RETENTION_DAYS', ['1', '3651', 'a year'], /whole number from 2 to 3650, not "/],
    ['WEBHOOK_DELIVERY_RETENTION_DAYS', ['0', '3651', 'a month'], /whole number from 1 to 3650, not "/],
    ['SUMSUB_URL', ['sumsub'], /http or https URL/],
    ['SUMSUB_WEBHOOK_SECRET', ['a,', 'a,b,c'], /one value, or two/],
    ['PORT', ['http', '-1', '65536', '80.5', '8e3', '0x50', '1 2'], /whole number from 0 to 65535, not "/],
    ['CONSOLE_URL', ['bank.example', 'ftp://bank.example'], /http or https URL, not "/],
    ['PUBLIC_URL', ['bank.example', 'ftp://bank.example', 'javascript:alert(1)'], /http or https URL, not "/],
    ['SANDBOX', ['yes', '1', 'TRUE'], /true or false, not "/],
    ['FOUR_EYES', ['true', 'ON', '2'], /on or off, not "/],
    ['REQUEST_LOG', ['true', 'ON', '1'], /on or off, not "/],
    ['BUILD_CONSOLE', ['true', 'ON', '1'], /on or off, not "/],
    ['BANK_COUNTRY', ['LTU', 'US', 'XX', 'l', '12', 'ſE', '\u212aZ'], /two letters of a country that has IBANs, not "/],
    ['BANK_CODE', ['99-90', 'ＬＴ', '99 90'], /letters and digits, not "/],
    ['BANK_CODE', ['VOST', '9999A', '99999999999', '9'.repeat(40)], /account numbers in LT can begin.*at least 6 more characters/],
    ['BANK_BIC', ['VOSTLT2', 'VOSTLT21XX', 'VOSTQQ21', '1OSTLT21'], /BIC of 8 or 11 characters, not "/],
    ['BANK_NAME', ['a'.repeat(141), 'a\u0007b', 'a\u202eb'], /at most 140 characters/],
    ['SIGN_IN_RETENTION_DAYS', ['0', '3651'], /whole number from 1 to 3650/],
    ['PASSKEYS_REQUIRED', ['true'], /on or off, not "/],
    ['HSTS_SUBDOMAINS', ['yes'], /true or false, not "/],
    ['RATE_LIMIT_PER_MINUTE', ['0', '-5', 'many', '1000000001'], /whole number from 1 to 1000000000, not "/],
    [
      'TRUSTED_PROXIES',
      [
        'proxy',
        '10.0.0.256',
        '10.0.0.0/33',
        '10.0.0.7/8',
        '10.0.0.0/',
        '10.0.0.0/8/8',
        '10.0.0.1,',
        '010.0.0.1',
        '0x7f.1',
        'fd00::/129',
        '*',
      ],
      /IP addresses or networks.*, not "/,
    ],
    ['PAY_PAGE_LIMIT_PER_MINUTE', ['0', '9', 'many', '1000000001'], /whole number from 10 to 1000000000, not "/],
    ['LOG_LEVEL', ['loud', 'INFO', 'info,warn'], /trace, debug, info, warn, error, fatal or silent, not "/],
    ['DATABASE_URL', ['db.example', 'mysql://a:b@c/d', 'mysql://a:b@c,d/e'], /must look like postgres:/],
    ['DATABASE_URL', ['postgres://a:b@c,,d/e', 'postgres://a:b@c,:5432/e'], /for each of its hosts, but host 2 of \d does not/],
    ['DATABASE_URL', ['postgres://a:b@c,c:5432/d'], /must name each host once/],
    ['DATABASE_URL', ['postgres://a:b@c,d/e?host=f', 'postgres:///e?host=c,d'], /must name several hosts before the database/],
    ['DATABASE_URL', ['postgres://a:b@c,d/e?target_session_attrs=standby'], /only the primary is used/],
    ['INSTANCES', ['0', '65', 'all'], /whole number from 1 to 64, not "/],
    ['DATABASE_POOL_SIZE', ['0', '-1', '1001', 'many'], /whole number from 1 to 1000, not "/],
    ['DATABASE_LIST_POOL_SIZE', ['0', '-1', '1001', 'many'], /whole number from 1 to 1000, not "/],
    ['DATABASE_WAIT_MS', ['0', '999', '5s', '600001'], /whole number from 1000 to 600000, not "/],
    ['ADMIN_API_KEY_SCOPE', ['everything', 'health,', 'set-up ventures:read'], /must name health, ventures:read or set-up, not "/],
    ['ADMIN_API_KEY', ['short', `${'k'.repeat(20)} ${'k'.repeat(20)}`, 'é'.repeat(40)], /at least 32 characters/],
  ]
  for (const [name, texts, sentence] of bad) {
    for (const text of texts) {
      const message = refusal({ [name]: text })
      assert.ok(message.startsWith(`The setting ${name} must `), message)
      assert.match(message, sentence)
    }
  }
  assert.match(refusal({ DATABASE_URL: address, MIGRATION_DATABASE_URL: 'x' }), /^The setting MIGRATION_DATABASE_URL must look like/)
})

test('a secret is never repeated, not even when it is what is wrong', () => {
  for (const environment of [
    { DATABASE_URL: 'vostro:hunter2@db.example' },
    { DATABASE_URL: 'mysql://vostro:hunter2@db.example/vostro' },
    { DATABASE_URL: 'postgres://vostro:hunter2@db1.example,/vostro' },
    { DATABASE_URL: 'postgres://vostro:hunter2@db1.example,db1.example/vostro' },
    { DATABASE_URL: address, MIGRATION_DATABASE_URL: 'owner:hunter2@db.example' },
    { MIGRATION_DATABASE_URL: address },
    { ADMIN_API_KEY: 'hunter2' },
    { GATEWAY_URL: 'shop:hunter2@gateway.example' },
    { PUBLIC_URL: 'ftp://shop:hunter2@bank.example' },
    { RAILS_EXCHANGE: 'sftp://vostro:hunter2@clearing.example/files' },
  ]) {
    assert.doesNotMatch(refusal(environment), /hunter2/)
  }
})

test('the owner of a database without the database itself is refused', () => {
  assert.match(refusal({ MIGRATION_DATABASE_URL: address }), /^MIGRATION_DATABASE_URL is set without DATABASE_URL: /)
  assert.match(refusal({ MIGRATION_DATABASE_URL: address, DATABASE_URL: ' ' }), /^MIGRATION_DATABASE_URL is set without DATABASE_URL: /)
})

test('the example lists every setting with its meaning and default, and sets none', () => {
  const example = envExample()
  for (const [name, setting] of Object.entries(settings)) {
    assert.ok(example.includes(`# ${setting.meaning}\n# default: ${setting.default}\n#${name}=\n`), name)
  }
  assert.ok(example.split('\n').every((line) => line === '' || line.startsWith('#')))
})

test('no two folders declare the same setting', () => {
  const tables = [
    platformSettings,
    sandboxSettings,
    venturesSettings,
    usersSettings,
    auditSettings,
    kycSettings,
    accountsSettings,
    screeningSettings,
    payeesSettings,
    transfersSettings,
    railsSettings,
    paymentsSettings,
    webhooksSettings,
    requestsSettings,
    archiveSettings,
    verifySettings,
    deskSettings,
  ]
  assert.deepEqual(tables.flatMap((table) => Object.keys(table)).sort(), Object.keys(settings).sort())
})

test('sumsub needs its token, its key and its secret', () => {
  const complete: Record<string, string> = { VERIFIER: 'sumsub', SUMSUB_APP_TOKEN: 'a', SUMSUB_SECRET_KEY: 'b', SUMSUB_WEBHOOK_SECRET: 'c' }
  assert.equal(readConfig(complete).verifier, 'sumsub')
  for (const name of ['SUMSUB_APP_TOKEN', 'SUMSUB_SECRET_KEY', 'SUMSUB_WEBHOOK_SECRET']) {
    assert.match(refusal({ ...complete, [name]: '' }), new RegExp(name))
  }
})

test('a bank code must fit the country it is used in', () => {
  assert.match(
    refusal({ BANK_COUNTRY: 'GB' }),
    /^The setting BANK_CODE must be a code that account numbers in GB can begin with, .*, not "99990"\.$/,
  )
  assert.equal(readConfig({ BANK_COUNTRY: 'DE' }).bank.code, '99990')
  assert.deepEqual(readConfig({ BANK_COUNTRY: 'nl', BANK_CODE: 'vost' }).bank.code, 'VOST')
})
