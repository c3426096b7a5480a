import { type AvailableExtensions, planStatement as planExtension } from '../../instance/project/extensions.ts'
import { withoutIndexOptions } from '../../instance/project/index-options.ts'
import { type DumpHeader, withoutComments } from './dump-header.ts'
import { isManagedRole, isManagedSchema, type Origin } from './managed.ts'

/** What becomes of a statement of a dump; `note` is null where its absence needs no word. */
export type PlannedStatement =
  | { readonly kind: 'run'; readonly text: string }
  | { readonly kind: 'skip'; readonly note: string | null }

/** What a plan must know of the database that is imported into. */
export interface TargetFacts {
  readonly extensions: AvailableExtensions
  /** Whether `hnsw` and `ivfflat` are Clew's own, which take no options. */
  readonly hasOwnIndexes: boolean
  /** Roles that are there. */
  readonly roles: ReadonlySet<string>
}

const name = String.raw`(?:"(?<quoted>(?:[^"]|"")+)"|(?<plain>[\w$]+))`
const session = /^(?:set\b|reset\b|select pg_catalog\.set_config\()/i
const roleStatement = new RegExp(String.raw`^(?<verb>create|alter|drop)\s+(?:role|user)\s+${name}(?<rest>.*)$`, 'is')
const membership = /^grant\s+(?<group>"(?:[^"]|"")+"|[\w$]+)\s+to\s+(?<member>"(?:[^"]|"")+"|[\w$]+)/i
const ownership = new RegExp(String.raw`^alter\s.*\sowner\s+to\s+${name}$`, 'is')
const defaultPrivileges = new RegExp(String.raw`^alter\s+default\s+privileges\s+for\s+role\s+${name}`, 'is')
const eventTrigger = /^create\s+event\s+trigger\b.*\sexecute\s+(?:function|procedure)\s+"?(?<schema>\w+)"?\./is
const ofSchema = /^SCHEMA "?(?<schema>[^"]+)"?$/
const ofExtension = /^(?:create|alter|comment\s+on)\s+extension\b/i

/** An extension makes the schema of its own name, which a dump takes for granted. */
const inOwnSchema = /^(?<start>create extension (?:if not exists )?"?(?<name>[\w-]+)"?) with schema "?\k<name>"?/i

const skip = (note: string | null = null): PlannedStatement => ({ kind: 'skip', note })

const nameIn = (found: RegExpExecArray): string =>
  found.groups?.quoted?.replaceAll('""', '"') ?? found.groups?.plain?.toLowerCase() ?? ''

/** Decides what becomes of one statement of a dump, which runs as the application's owner. */
export function planStatement(
  text: string,
  header: DumpHeader | null,
  origin: Origin,
  { extensions, hasOwnIndexes, roles }: TargetFacts,
): PlannedStatement {
  const code = withoutComments(text)
  if (session.test(code)) return skip()
  if (isManaged(header, origin)) return skip()
  const role = roleStatement.exec(code)
  if (role !== null) return planRole(code, role)
  const member = membership.exec(code)
  if (member !== null && !isOwnMembership(member)) return skip()
  const owner = ownership.exec(code)
  // Clew's owner makes the objects, and so they are its own.
  if (owner !== null && isManagedRole(nameIn(owner))) return skip()
  if (owner !== null && !roles.has(nameIn(owner)))
    return skip(`What the role "${nameIn(owner)}" owns belongs to postgres here.`)
  const privileges = defaultPrivileges.exec(code)
  if (privileges !== null && isManagedRole(nameIn(privileges)) && nameIn(privileges) !== 'postgres') return skip()
  const trigger = eventTrigger.exec(code)
  if (trigger !== null && isManagedSchema(trigger.groups?.schema ?? '', origin)) return skip()
  if (ofExtension.test(code)) {
    if (/^comment/i.test(code)) return skip()
    const planned = planExtension(code, extensions, 'skip')
    return planned.kind === 'run'
      ? { ...planned, text: planned.text.replace(inOwnSchema, '$<start>') }
      : skip(`Left out: the extension "${planned.extension}", which this PostgreSQL does not have.`)
  }
  if (/^create\s+schema\s+(?!if\b)/i.test(code))
    return { kind: 'run', text: code.replace(/^create\s+schema\s+/i, 'create schema if not exists ') }
  return { kind: 'run', text: (hasOwnIndexes ? withoutIndexOptions(code) : null) ?? code }
}

/** Roles that requests run as, which roles of the application may be members of. */
const requestRoles: ReadonlySet<string> = new Set(['anon', 'authenticated', 'service_role'])

const unquoted = (name: string | undefined): string =>
  name?.startsWith('"') === true ? name.slice(1, -1).replaceAll('""', '"') : (name?.toLowerCase() ?? '')

/** Whether the application gives a role of its own to another, or one of those of requests to a role of its own. */
function isOwnMembership(found: RegExpExecArray): boolean {
  const group = unquoted(found.groups?.group)
  return !isManagedRole(group) || (requestRoles.has(group) && !isManagedRole(unquoted(found.groups?.member)))
}

/** Publications and event triggers that Clew or the hosted platform makes. */
const managedNames = /^(?:clew(?:_| |$)|issue_|pgrst_)/

const ofPublication = /^(?:PUBLICATION|EVENT TRIGGER) "?(?<name>[^"]+)"?$/

/** Whether a statement of a dump is about something of the platform's, and not of the application's. */
export function isManaged(header: DumpHeader | null, origin: Origin): boolean {
  if (header === null) return false
  if (/^(?:PUBLICATION|EVENT TRIGGER)/.test(header.type)) return managedNames.test(header.name)
  // A comment and an owner are of a thing that the name says.
  const thing = ofPublication.exec(header.name)?.groups?.name
  if (thing !== undefined) return managedNames.test(thing)
  if (header.schema !== null) return isManagedSchema(header.schema, origin)
  const named = header.type === 'SCHEMA' ? header.name : ofSchema.exec(header.name)?.groups?.schema
  return named !== undefined && isManagedSchema(named, origin)
}

/** The role that a statement creates; null for another statement. */
export function createdRole(text: string): string | null {
  const found = roleStatement.exec(withoutComments(text))
  return found?.groups?.verb?.toLowerCase() === 'create' ? nameIn(found) : null
}

/** Attributes that only a superuser may give or take. */
const superuserAttributes = /\b(?:no)?(?:superuser|replication)\b/gi

function planRole(code: string, found: RegExpExecArray): PlannedStatement {
  const { verb = '', rest = '' } = found.groups ?? {}
  if (verb.toLowerCase() === 'drop') return skip()
  if (isManagedRole(nameIn(found))) {
    const isForRequests = /^\s+(?:in\s+database\s+\S+\s+)?set\s+"?pgrst\./i.test(rest)
    return isForRequests && nameIn(found) === 'authenticator' ? { kind: 'run', text: code } : skip()
  }
  return { kind: 'run', text: code.replaceAll(superuserAttributes, '') }
}
