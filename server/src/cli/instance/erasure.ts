import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceError } from '../../errors.ts'
import {
  type CertificateCheck,
  checkCertificate,
  retiredCertificateKeyOf,
  subjectDigest,
} from '../../ground/privacy/certificate.ts'
import { loadKeys } from '../../instance/keys.ts'
import type { DirectoryOptions } from '../options.ts'
import { print, printTable } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/**
 * Checks a certificate of an erasure against the key of a data directory, which needs no running instance.
 *
 * @returns 0 for a good one of this instance, and of the person where one is named; 1 for any other
 */
export async function verifyErasure(
  file: string,
  { of, json = false, ...options }: DirectoryOptions & { of?: string; json?: boolean },
): Promise<number> {
  const { instance } = await settingsOf(options)
  // `loadKeys` would make keys in a directory that has none.
  await access(join(instance.data, 'keys.json')).catch((cause: unknown) => {
    throw instanceError('CLEW_FILE', { message: `${instance.data} has no keys to check a certificate with.`, cause })
  })
  const { roots, retiredCertificateKeys } = await loadKeys(instance.data, instance.production, () => new Date())
  const keys = [...roots.map(({ secret }) => retiredCertificateKeyOf(secret)), ...retiredCertificateKeys]
  const check = checkCertificate(
    await readJson(file),
    keys.map(({ publicKey }) => publicKey),
  )
  const digests = keys.map(({ digestKey }) => subjectDigest(Buffer.from(digestKey, 'base64url')))
  const isOf =
    of === undefined || check.kind !== 'good'
      ? null
      : digests.some((digest) => check.facts.subject.includes(digest(of)))
  const isGood = check.kind === 'good' && check.isOfKey && isOf !== false
  if (json) print(JSON.stringify({ isGood, isOf, ...check }, null, 2))
  else printTable(linesOf(check, isOf))
  return isGood ? 0 : 1
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw instanceError('CLEW_FILE', { message: `${file}: ${(cause as Error).message}`, cause })
  }
}

function linesOf(check: CertificateCheck, isOf: boolean | null): readonly (readonly [string, string])[] {
  if (check.kind !== 'good')
    return [['certificate', check.kind === 'changed' ? 'changed after it was signed' : 'none in this file']]
  const { id, completedAt, stores, search } = check.facts
  const removed = stores.reduce((sum, store) => sum + store.removed, 0)
  return [
    ['certificate', check.isOfKey ? 'good' : 'good, but signed by another instance'],
    ['erasure', id],
    ['completed', completedAt],
    ['removed', `${removed} ${removed === 1 ? 'row' : 'rows'} of ${stores.length} stores`],
    ['found after it', search.found.map(({ table, rows }) => `${table} ${rows}`).join(', ') || 'nothing'],
    ...(isOf === null ? [] : [['of this person', isOf ? 'yes' : 'no'] as const]),
  ]
}
