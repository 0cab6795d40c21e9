// The settings of the rails.
import { boolean, type Given, integer, type Settings } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'
import { parseBic } from '../values/bic.ts'
import { parseMoney } from '../values/money.ts'
import type { InstantRules } from './instants/rails.instants.ts'

export type ExchangeAddress =
  | { kind: 'folder'; path: string }
  | { kind: 'sftp'; user: string; host: string; port: number; path: string; keyFile: string; hostKey: string }

export const railsSettings = {
  RAILS_EXCHANGE: {
    default: 'none; in the sandbox, the simulated bank',
    meaning: 'where files are exchanged with the clearing system: folder:/path, or sftp://user@host:port/path',
    parse: address,
  },
  RAILS_SFTP_KEY_FILE: {
    default: 'none',
    meaning: 'the file with the private key for an exchange over SFTP',
    parse: (text: string) => text,
  },
  RAILS_SFTP_HOST_KEY: {
    default: 'none',
    meaning: 'the fingerprint of the host key of an exchange over SFTP, as ssh-keygen -l shows it: SHA256: and 43 characters',
    parse: fingerprint,
  },
  RAILS_SENDERS: {
    default: 'the banks that hold the nostros; in the sandbox, the simulated bank',
    meaning: 'whose messages are accepted: the BICs of the clearing system and of partners, separated by commas',
    parse: senders,
  },
  RAILS_CREDIT_BOUND: {
    default: 'none',
    meaning: 'the largest amount that is credited when only a file reports it, such as 10000.00; more waits for a statement that shows it',
    parse: bound,
  },
  RAILS_ANSWER_HOURS: {
    default: '24',
    meaning: 'after how many hours without an answer the clearing system is asked about a delivered pack, and a case is opened',
    parse: integer(1, 240),
  },
  RAILS_INSTANT_ANSWER_SECONDS: {
    default: '7',
    meaning: 'how many seconds after the time in its message an instant payment may still be accepted; later it is refused with AB05',
    parse: integer(1, 60),
  },
  RAILS_INSTANT_CONFIRMS: {
    default: 'true',
    meaning: 'whether the clearing system confirms the instant payments that the bank has accepted; their money is credited only then',
    parse: boolean,
  },
} satisfies Settings

/** `railsSenders`: undefined if not set. */
export type RailsConfig = {
  railsExchange: ExchangeAddress | undefined
  railsSenders: readonly string[] | undefined
  railsCreditBound: string | undefined
  railsAnswer_h: number
  /** How the bank takes part in instant payments. */
  railsInstant: InstantRules
}

type Circumstances = { sandbox: boolean; fourEyes: boolean }

export function railsConfig(given: Given<typeof railsSettings>, { sandbox, fourEyes }: Circumstances): RailsConfig {
  const railsInstant = { answer_s: given.RAILS_INSTANT_ANSWER_SECONDS ?? 7, confirms: given.RAILS_INSTANT_CONFIRMS ?? true }
  const waits = { railsCreditBound: given.RAILS_CREDIT_BOUND, railsAnswer_h: given.RAILS_ANSWER_HOURS ?? 24, railsInstant }
  const { RAILS_EXCHANGE: wanted, RAILS_SENDERS: railsSenders } = given
  if (wanted === undefined) return { railsExchange: undefined, railsSenders: undefined, ...waits }
  if (sandbox) throw new StartupError('RAILS_EXCHANGE cannot be set in the sandbox: its money does not exist. Set SANDBOX=false.')
  if (!fourEyes) throw new StartupError('FOUR_EYES cannot be off while RAILS_EXCHANGE is set: real money needs two people.')
  if (wanted.kind === 'folder') return { railsExchange: wanted, railsSenders, ...waits }
  const { RAILS_SFTP_KEY_FILE: keyFile, RAILS_SFTP_HOST_KEY: hostKey } = given
  if (keyFile === undefined) throw new StartupError('RAILS_EXCHANGE over SFTP needs RAILS_SFTP_KEY_FILE.')
  if (hostKey === undefined)
    throw new StartupError('RAILS_EXCHANGE over SFTP needs RAILS_SFTP_HOST_KEY: without it, any server could impersonate the exchange.')
  return { railsExchange: { ...wanted, keyFile, hostKey }, railsSenders, ...waits }
}

type Wanted = { kind: 'folder'; path: string } | { kind: 'sftp'; user: string; host: string; port: number; path: string }

function address(text: string): Wanted {
  if (text.startsWith('folder:/')) return { kind: 'folder', path: text.slice('folder:'.length) }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'sftp:' || url.username === '' || url.hostname === '' || url.password !== '')
    // The value is not repeated, because it may contain a password.
    throw new Error('must be folder: with an absolute path, or sftp://user@host:port/path without a password')
  const { username, hostname: host, port, pathname } = url
  return { kind: 'sftp', user: decodeURIComponent(username), host, port: Number(port || 22), path: decodeURIComponent(pathname) }
}

function senders(text: string): string[] {
  return text.split(',').map((item) => {
    const bic = parseBic(item.trim())
    if (bic === undefined) throw new Error(`must be BICs, separated by commas, not "${text}"`)
    return bic
  })
}

function bound(text: string): string {
  if (parseMoney(text, 'EUR') === undefined) throw new Error(`must be an amount in euros with at most two decimals, not "${text}"`)
  return text
}

function fingerprint(text: string): string {
  if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(text)) throw new Error(`must be SHA256: and 43 characters, not "${text}"`)
  return text
}
