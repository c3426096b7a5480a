/** What was said of a key, and where. */
export interface Entry {
  readonly value: unknown
  readonly place: string
}

/** Entries by their dotted key. */
export type Entries = ReadonlyMap<string, Entry>

/** Applies the keys that decide over others: `enabled` of hooks, of SMTP and of those who deliver text messages. */
export function settle(written: Entries): Entries {
  const entries = new Map(written)
  for (const [key, { value, place }] of written) {
    const table = /^(.*)\.enabled$/.exec(key)?.[1] ?? ''
    const isOn = value === true || value === 'true'
    const smsProvider = /^auth\.sms\.([^.]+)$/.exec(table)?.[1]
    if (smsProvider !== undefined) {
      entries.delete(key)
      if (isOn) entries.set('auth.sms.provider', { value: smsProvider, place })
    } else if (/^auth\.(hook\.[^.]+|email\.smtp)$/.test(table)) {
      entries.delete(key)
      if (!isOn) for (const other of written.keys()) if (other.startsWith(`${table}.`)) entries.delete(other)
    }
  }
  // Without a mail server of its own a project may send as many mails as it likes (project-folder §4).
  if (!entries.has('auth.email.smtp.host')) {
    entries.delete('auth.rate_limit.email_sent')
    nameLocalSender(entries)
  }
  return withThirdParties(entries)
}

/** The tables of the development inbox, the later name last. */
const inboxTables = ['inbucket', 'local_smtp']

/** Mails that stay in the inbox have the sender that its table names (project-folder §4). */
function nameLocalSender(entries: Map<string, Entry>): void {
  for (const table of inboxTables) {
    if (entries.get(`${table}.enabled`)?.value === false) continue
    for (const name of ['admin_email', 'sender_name']) {
      const said = entries.get(`${table}.${name}`)
      entries.delete(`${table}.${name}`)
      if (said !== undefined) entries.set(`auth.email.smtp.${name}`, said)
    }
  }
}

type Fields = Readonly<Record<string, string>>

/** The issuers of `[auth.third_party.<name>]`, by their fields (project-folder §4). */
const issuers: Readonly<Record<string, (fields: Fields) => string>> = {
  firebase: ({ project_id = '' }) => `https://securetoken.google.com/${project_id}`,
  auth0: ({ tenant = '', tenant_region: region }) =>
    `https://${tenant}${region === undefined || region === '' ? '' : `.${region}`}.auth0.com/`,
  aws_cognito: ({ user_pool_id = '', user_pool_region = '' }) =>
    `https://cognito-idp.${user_pool_region}.amazonaws.com/${user_pool_id}`,
  clerk: ({ domain = '' }) => (domain.startsWith('https://') ? domain : `https://${domain}`),
  workos: ({ issuer_url = '' }) => issuer_url,
}

/** Names the issuers of third parties in the setting that lists them. */
function withThirdParties(written: Entries): Entries {
  const entries = new Map(written)
  const trusted: string[] = []
  let place = ''
  for (const [name, issuerOf] of Object.entries(issuers)) {
    const table = `auth.third_party.${name}.`
    const keys = [...written.keys()].filter((key) => key.startsWith(table))
    const isOn = written.get(`${table}enabled`)?.value
    for (const key of keys) entries.delete(key)
    if (isOn !== true && isOn !== 'true') continue
    trusted.push(
      issuerOf(Object.fromEntries(keys.map((key) => [key.slice(table.length), String(written.get(key)?.value)]))),
    )
    place = written.get(`${table}enabled`)?.place ?? ''
  }
  if (trusted.length > 0) entries.set('auth.third_party.issuers', { value: trusted, place })
  return entries
}
