import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { postgresError } from '../errors.ts'

/** The user that PostgreSQL's processes run as. */
export interface ProcessUser {
  readonly uid: number
  readonly gid: number
  readonly name: string
  /** True when we are root and step down. */
  readonly drops: boolean
}

/**
 * Who PostgreSQL runs as: ourselves, or an unprivileged user when we are root, as it refuses to run as root.
 *
 * @throws POSTGRES_NO_UNPRIVILEGED_USER
 */
export async function findProcessUser(): Promise<ProcessUser> {
  const uid = process.getuid?.() ?? 0
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  if (uid !== 0) {
    const name = users.find((user) => user.uid === uid)?.name ?? String(uid)
    return { uid, gid: process.getgid?.() ?? uid, name, drops: false }
  }
  const found = users.find((user) => user.name === 'nobody') ?? users.find((user) => user.uid !== 0)
  if (found === undefined) throw postgresError('POSTGRES_NO_UNPRIVILEGED_USER')
  return { ...found, drops: true }
}

/** The name that the operating system gives to ourselves, as `peer` authentication sees it. */
export async function ownName(): Promise<string> {
  const uid = process.getuid?.() ?? 0
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  return users.find((user) => user.uid === uid)?.name ?? 'root'
}

/** Whether the user may pass through every directory above `path`; one in /root cannot be reached, say. */
export async function canReach(user: ProcessUser, path: string): Promise<boolean> {
  if (!user.drops) return true
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

function parsePasswd(text: string): { name: string; uid: number; gid: number }[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
