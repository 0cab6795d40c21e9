// Resources that the fixtures create for a request, by the names that the trials of routes use.
import { randomUUID } from 'node:crypto'
import type { Fresh } from '../../platform/http/trial.ts'
import { goodPassword, someEmail } from '../../testing/testing.sessions.ts'
import { type Fixtures, someMandate } from './matrix.fixtures.ts'
import type { Given } from './matrix.parts.ts'

const makers: Readonly<Record<Fresh, (fixtures: Fixtures) => Given | Promise<Given>>> = {
  activeAccount: (fixtures) => fixtures.newAccount('ACTIVE'),
  approval: (fixtures) => fixtures.newApproval(),
  bankInvitation: (fixtures) => fixtures.newBankInvitation(),
  bankKey: (fixtures) => fixtures.newBankKey(),
  bankPayment: async (fixtures) => ({ bank_payment_id: await fixtures.newBankPayment() }),
  break: async (fixtures) => ({ break_id: await fixtures.newBreak() }),
  cardSale: async (fixtures) => {
    await fixtures.payCard()
    return {}
  },
  case: async (fixtures) => ({ ...(await fixtures.newCase()), decision: 'note' }),
  clearing: async (fixtures) => ({ clearing_id: await fixtures.newClearing() }),
  client: (fixtures) => fixtures.newClient(),
  credential: async (fixtures) => ({ credential: await fixtures.signChallenge() }),
  credentials: ({ person: { person } }) => ({ email: person.email, password: person.password }),
  deadJob: (fixtures) => fixtures.newDeadJob(),
  email: () => ({ email: someEmail() }),
  endpoint: (fixtures) => fixtures.newEndpoint(),
  invitation: async (fixtures) => ({ invitation_id: (await fixtures.newInvitation()).id }),
  key: (fixtures) => fixtures.newKey(),
  link: async (fixtures) => ({ secret: await fixtures.newSecret(), password: goodPassword }),
  listName: () => ({ name: `list-${randomUUID()}` }),
  managed: async (fixtures) => {
    const { venture_id, account_id, transfer_id, iban } = await fixtures.managed()
    return { venture_id, account_id, transfer_id, parent_transaction_id: transfer_id, iban }
  },
  mandate: (fixtures) => fixtures.newMandate(),
  mandateReference: () => ({ reference: someMandate().reference }),
  member: async (fixtures) => ({ user_id: (await fixtures.newMember()).person.user_id }),
  message: (fixtures) => fixtures.message(),
  nostro: (fixtures) => fixtures.nostro(),
  pack: async (fixtures) => ({ pack_id: (await fixtures.newPack()).pack_id }),
  passkey: async (fixtures) => ({ passkey_id: await fixtures.addPasskey() }),
  password: () => ({ password: goodPassword }),
  payment: (fixtures) => fixtures.newPayment(),
  pendingAccount: (fixtures) => fixtures.newAccount('PENDING'),
  question: (fixtures) => fixtures.newQuestion(),
  related: (fixtures) => fixtures.newRelated(),
  sent: async (fixtures) => ({ transfer_id: await fixtures.newSent() }),
  session: async (fixtures) => ({ session_id: await fixtures.addSession() }),
  subject: (fixtures) => fixtures.newSubject(),
  suspended: (fixtures) => fixtures.newPayout(),
  text: ({ ids }) => ({ text: ids.unique_reference }),
  transfer: (fixtures) => fixtures.newTransfer(),
  unapplied: async (fixtures) => {
    const id = await fixtures.newUnapplied()
    return { inbound_payment_id: id, unapplied_payment_id: id }
  },
  venture: (fixtures) => fixtures.newVenture(),
  watchlist: (fixtures) => fixtures.newWatchlist(),
}

export function makeFresh(name: Fresh, fixtures: Fixtures): Given | Promise<Given> {
  return makers[name](fixtures)
}
