import { createMailer, type Mailer } from '../engines/mail/index.ts'
import { uuidv7 } from '../ground/ids/uuidv7.ts'
import { cookieScopeOf, createOperators, type Operators, type OperatorsDeps } from '../services/operators/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import { projectName } from './facts.ts'

/** The accounts of the console, at its address; their mails go by the mail server, or into the inbox. */
export const openOperators = (
  { operators, instance, mail }: Settings,
  { consoleUrl, apiUrl }: Addresses,
  {
    inbox,
    ...deps
  }: Omit<OperatorsDeps, 'settings' | 'project' | 'cookieScope' | 'consoleUrl' | 'mailer'> & {
    readonly inbox: Mailer
  },
): Promise<Operators> =>
  createOperators({
    ...deps,
    mailer: createMailer(inbox, mail, { now: deps.now, newId: () => uuidv7() }),
    settings: operators,
    project: projectName(instance),
    cookieScope: cookieScopeOf(consoleUrl, apiUrl),
    consoleUrl,
  })
