import Type from 'typebox'
import { address, nullable, setting, text, texts, type Values } from '../../ground/settings/setting.ts'

/** Where the log goes, besides `log_level`, `log_format` and `log_file` of the process. */
export const logSettings = {
  access: setting(Type.Boolean(), {
    default: false,
    description: 'Whether each request is a line of the log, whatever the level: method, path, status, time, address.',
  }),
  output: setting(Type.Enum(['stderr', 'stdout']), {
    default: 'stderr',
    description: 'Where the log is written where log_file names no file.',
  }),
  rotateMib: setting(Type.Integer({ minimum: 1, maximum: 65_536 }), {
    limit: true,
    default: 100,
    description: 'MiB at which log_file is renamed (`.1`, then `.2`) and a new one begun.',
  }),
  rotatedFiles: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 5,
    description: 'Renamed files that are kept.',
  }),
  rotatedDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 3650 })), {
    default: null,
    description:
      'Days after its last line for which a renamed file is kept, looked at once an hour; no limit by default.',
  }),
  httpUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    secret: true,
    description: 'An address that lines are posted to, as JSON Lines, some at a time.',
  }),
  httpHeaders: setting(texts, {
    default: {},
    secret: true,
    description: 'Headers of these posts, such as `Authorization`.',
  }),
  syslog: setting(nullable(address(['udp', 'tcp', 'tls'])), {
    default: null,
    description: 'A syslog server (RFC 5424) that lines are sent to: udp://…:514, tcp://…:514 or tls://…:6514.',
  }),
  syslogName: setting(text, { default: 'clew', description: 'What the process is called in syslog (APP-NAME).' }),
  batchLines: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 500,
    description: 'Lines of one post, or of one write to syslog.',
  }),
  queueMib: setting(Type.Integer({ minimum: 1, maximum: 1024 }), {
    limit: true,
    default: 16,
    description: 'MiB of lines that wait for an address that takes none; further ones are dropped and counted.',
  }),
  timeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: 10,
    description: 'Seconds that a post, or a connection to syslog, may take.',
  }),
} as const

/** The values of `logSettings`. */
export type LogSettings = Values<typeof logSettings>
