import { statSync } from 'node:fs'
import { localSecrets } from '../ground/jwt/api-keys.ts'
import { environmentName } from '../ground/settings/names.ts'
import type { SettingProblem } from '../ground/settings/read.ts'
import type { InstanceSettings, Settings } from './declared.ts'

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

/** Whether an address can only be reached from this machine. */
export const isLoopback = (host: string): boolean => loopback.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Settings of the process that are right alone and wrong together. */
export function conflicts(
  settings: InstanceSettings,
  { enabled: hasAcme }: Pick<Settings['acme'], 'enabled'>,
): readonly SettingProblem[] {
  const { host, production, port, consolePort, publicUrl, consoleUrl, tls, tlsCert, tlsKey } = settings
  const problems: SettingProblem[] = []
  if (!production && !isLoopback(host)) {
    const allowed = 'a loopback address in local mode, whose keys everybody knows; give --production for any other'
    problems.push({ name: 'host', seen: host, source: '--host', allowed })
  }
  if (consolePort !== 0 && consolePort === port) {
    const allowed = 'another port than the application’s'
    problems.push({ name: 'console_port', seen: String(consolePort), source: '--console-port', allowed })
  }
  if (publicUrl !== null && consoleUrl !== null && new URL(publicUrl).origin === new URL(consoleUrl).origin) {
    const allowed = 'another origin than public_url, whose pages could read the console otherwise'
    problems.push({ name: 'console_url', seen: consoleUrl, source: '--console-url', allowed })
  }
  if (tls && (tlsCert === null) !== (tlsKey === null)) {
    const [name, other] = tlsCert === null ? ['tls_cert', 'tls_key'] : ['tls_key', 'tls_cert']
    problems.push({ name, seen: 'nothing', source: name, allowed: `a file, as ${other} names one; both or neither` })
  } else if (tls && production && tlsCert === null && !hasAcme) {
    const allowed = 'the file of a certificate, or [acme] enabled: a self-signed one is for local mode'
    problems.push({ name: 'tls_cert', seen: 'nothing', source: 'tls_cert', allowed })
  }
  return problems
}

/** The secrets of local mode are published: in production they would let anybody in, as any role. */
export function publishedSecrets(settings: InstanceSettings): readonly SettingProblem[] {
  if (!settings.production) return []
  const { jwtSecret, secretKey } = localSecrets
  const named = [
    ['jwtSecret', settings.jwtSecret === jwtSecret],
    ['earlierJwtSecrets', settings.earlierJwtSecrets.includes(jwtSecret)],
    ['secretKey', settings.secretKey === secretKey],
  ] as const
  return named
    .filter(([, isPublished]) => isPublished)
    .map(([setting]) => {
      const name = environmentName(null, setting)
      const allowed =
        'a secret of its own, or nothing: a production instance makes one. That of local mode is published'
      return { name, seen: 'the secret of local mode', source: name, allowed }
    })
}

/** What a certificate by ACME needs: names, HTTPS, the agreement, and one machine. */
export function acmeProblems({
  acme,
  instance,
  cluster,
}: Pick<Settings, 'acme' | 'instance' | 'cluster'>): readonly SettingProblem[] {
  if (!acme.enabled) return []
  const isHttps = (url: string | null): boolean => url?.startsWith('https://') === true
  const { tls, tlsCert, publicUrl, consoleUrl } = instance
  const needed: readonly (readonly [holds: boolean, name: string, seen: string, allowed: string])[] = [
    [tls, 'tls', 'false', 'true, where [acme] is enabled'],
    [tlsCert === null, 'tls_cert', String(tlsCert), 'nothing, where [acme] is enabled'],
    [isHttps(publicUrl), 'public_url', String(publicUrl), 'https://…, whose name the certificate is for'],
    [
      consoleUrl === null || isHttps(consoleUrl),
      'console_url',
      String(consoleUrl),
      'https://…, where [acme] is enabled',
    ],
    [acme.acceptTerms, '[acme] accept_terms', 'false', 'true: the authority asks for it'],
    [
      cluster.bus === null,
      '[acme] enabled',
      'true',
      'false where [cluster] bus is set: a proxy before the machines sees to it',
    ],
  ]
  return needed
    .filter(([holds]) => !holds)
    .map(([, name, seen, allowed]) => ({ name, seen, source: '[acme]', allowed }))
}

/** Whether a path is a folder. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A project folder that does not exist is a typing error: a new, empty instance in it would hide that. */
export function missingFolder(project: unknown, folder: string): readonly SettingProblem[] {
  if (typeof project !== 'string' || isFolder(folder)) return []
  return [{ name: '--project', seen: folder, source: '--project', allowed: 'a folder that is there' }]
}

/** Backups are in one place. */
export function twoTargets({ folder, s3Bucket }: Settings['backup']): readonly SettingProblem[] {
  if (folder === null || s3Bucket === null) return []
  const allowed = 'nothing where s3_bucket names a bucket: backups are in one place'
  return [{ name: 'folder', seen: folder, source: '[backup]', allowed }]
}

/** A mail server needs an address that mails come from. That of the development inbox (`[inbucket]`) is none. */
export function missingSender(
  { smtpUrl, smtpHost, adminEmail }: Settings['mail'],
  places: Readonly<Record<string, string>> = {},
): readonly SettingProblem[] {
  const isOfInbox = /: (?:inbucket|local_smtp)\./.test(places.adminEmail ?? '')
  if ((smtpUrl === null && smtpHost === null) || (adminEmail !== null && !isOfInbox)) return []
  const name = environmentName('mail', 'adminEmail')
  return [{ name, seen: 'nothing', source: name, allowed: 'the address mails come from, where a mail server is named' }]
}

/** Files in a bucket need its name and its keys. */
export function missingBucket(storage: Settings['storage']): readonly SettingProblem[] {
  if (storage.backend !== 's3') return []
  const needed = ['s3Bucket', 's3AccessKeyId', 's3SecretAccessKey'] as const
  return needed
    .filter((name) => storage[name] === null)
    .map((setting) => {
      const name = environmentName('storage', setting)
      return { name, seen: 'nothing', source: name, allowed: 'a text, where backend is "s3"' }
    })
}

/** Processes on several machines are one Clew by what they share. */
export const missingShared = ({
  cluster,
  instance,
}: Pick<Settings, 'cluster' | 'instance'>): readonly SettingProblem[] =>
  cluster.bus === null
    ? []
    : (['databaseUrl', 'clickhouseUrl'] as const)
        .filter((name) => instance[name] === null)
        .map((setting) => {
          const name = environmentName(null, setting)
          const allowed = 'the address of an engine that all processes share, where [cluster] bus joins them'
          return { name, seen: 'nothing', source: name, allowed }
        })

/** Events and recordings cannot share a path. */
export const samePaths = ({ analytics }: Pick<Settings, 'analytics'>): readonly SettingProblem[] => {
  const { eventsPath, recordingsPath } = analytics
  if (eventsPath !== recordingsPath) return []
  const name = environmentName('analytics', 'recordingsPath')
  return [{ name, seen: recordingsPath, source: name, allowed: 'another path than that of events' }]
}

/** A bucket cannot allow more than the service does. */
export const largeBuckets = ({
  storage,
  migrations,
}: Pick<Settings, 'storage' | 'migrations'>): readonly SettingProblem[] =>
  Object.entries(migrations.buckets)
    .filter(([, { file_size_limit: limit = 0 }]) => limit > storage.fileSizeLimitBytes)
    .map(([bucket, { file_size_limit: limit }]) => {
      const name = `storage.buckets.${bucket}.file_size_limit`
      const allowed = `${storage.fileSizeLimitBytes} bytes at most, as storage.file_size_limit says`
      return { name, seen: String(limit), source: name, allowed }
    })
