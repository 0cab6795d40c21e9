// The setting of the request log.
import { type Given, onOrOff, type Settings } from '../platform/config.ts'

export const requestsSettings = {
  REQUEST_LOG: {
    default: 'on when embedded, else off',
    meaning: 'whether requests to the API are logged for seven days, for GET /requests: on or off',
    parse: onOrOff,
  },
} satisfies Settings

export type RequestsConfig = { requestLog: boolean }

export function requestsConfig(
  given: Given<typeof requestsSettings>,
  { databaseUrl }: { databaseUrl: string | undefined },
): RequestsConfig {
  return { requestLog: given.REQUEST_LOG ?? databaseUrl === undefined }
}
