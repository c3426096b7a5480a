import type { AuthSettings } from '../../../../src/services/auth/index.ts'
import type { TestAuth } from '../../../auth-service.ts'

export const confirming: Partial<AuthSettings> = { emailEnableConfirmations: true }
export const page = 'http://127.0.0.1:3000/in'

/** The newest mail to an address. */
export const newest = async (auth: TestAuth, to: string) => {
  const { mails } = await auth.inbox.search(`to:${to}`, { start: 0, limit: 1 })
  const [mail] = mails
  if (mail === undefined) throw new Error(`No mail to ${to}.`)
  return mail
}

export const mailCount = async (auth: TestAuth) => (await auth.inbox.list({ start: 0, limit: 1 })).total

export const recover = (auth: TestAuth, email: string) => auth.call('POST', '/recover', { body: { email } })
