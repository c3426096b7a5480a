import { postgresError } from '../engines/postgres/index.ts'
import { spoolError } from '../engines/spool/index.ts'
import { instanceError } from '../errors.ts'
import { gatewayError } from '../gateway/index.ts'
import type { ErrorEntry } from '../ground/errors/catalogue.ts'
import { rootKeyError } from '../ground/ids/root-sealing.ts'
import { postgrestError } from '../postgrest/index.ts'
import { alertsError } from '../services/alerts/index.ts'
import { analyticsError } from '../services/analytics/index.ts'
import { authError, setupError } from '../services/auth/index.ts'
import { backupsError } from '../services/backups/index.ts'
import { cronError } from '../services/cron/index.ts'
import { experimentsError } from '../services/experiments/index.ts'
import { exportsError } from '../services/exports/index.ts'
import { flagsError } from '../services/flags/index.ts'
import { functionsError, manageError, toolError } from '../services/functions/index.ts'
import { inboxError } from '../services/inbox/index.ts'
import { issuesError } from '../services/issues/index.ts'
import { liveError } from '../services/live/index.ts'
import { mcpError } from '../services/mcp/index.ts'
import { migrationsError } from '../services/migrations/index.ts'
import { netError } from '../services/net/index.ts'
import { notesError } from '../services/notes/index.ts'
import { operatorsError } from '../services/operators/index.ts'
import { otlpError } from '../services/otlp/index.ts'
import { privacyError } from '../services/privacy/index.ts'
import { queuesError } from '../services/queues/index.ts'
import { realtimeConsoleError, realtimeError } from '../services/realtime/index.ts'
import { replayError } from '../services/replay/index.ts'
import { dataError, restError } from '../services/rest/index.ts'
import { retentionError } from '../services/retention/index.ts'
import { schemaError } from '../services/schema/index.ts'
import { secretsError } from '../services/secrets/index.ts'
import { sharesError } from '../services/shares/index.ts'
import { sqlEditorError } from '../services/sql-editor/index.ts'
import { s3Error, storageError } from '../services/storage/index.ts'
import { surveysError } from '../services/surveys/index.ts'
import { threadError } from '../services/thread/index.ts'
import { vaultError } from '../services/vault/index.ts'
import { exitCodes } from './exit-codes.ts'

/** The first line of a generated page. */
export const generatedNote = '<!-- Made by `npm run generate` from the declarations in the sources. -->'

/** `docs/reference/errors.md`: the error catalogues. */
export function errorsReference(): string {
  const catalogues: readonly (readonly [title: string, entries: Readonly<Record<string, ErrorEntry>>])[] = [
    ['Start and command line (the status is the exit code)', instanceError.entries],
    ['PostgreSQL engine', postgresError.entries],
    ['Spool', spoolError.entries],
    ['Gateway', gatewayError.entries],
    ['REST', restError.entries],
    ['REST service alone (`clew rest`; the status is the exit code)', postgrestError.entries],
    ['Console data', dataError.entries],
    ['Auth', authError.entries],
    ['Analytics', analyticsError.entries],
    ['Spans and logs of your own servers', otlpError.entries],
    ['Thread', threadError.entries],
    ['Recordings as files', replayError.entries],
    ['Errors of the application', issuesError.entries],
    ['Operators', operatorsError.entries],
    ['Functions', functionsError.entries],
    ['Functions in the console and of the command line', { ...manageError.entries, ...toolError.entries }],
    ['Realtime', realtimeError.entries],
    ['Console: realtime', realtimeConsoleError.entries],
    ['The console’s live connections', liveError.entries],
    ['Storage (the logical status; most are answered with HTTP 400)', storageError.entries],
    ['Console: jobs', cronError.entries],
    ['Console: webhooks and requests from SQL', netError.entries],
    ['Console: queues', queuesError.entries],
    ['Console: inbox', inboxError.entries],
    ['Console: vault', vaultError.entries],
    ['Root keys', rootKeyError.entries],
    ['Secrets of the instance', secretsError.entries],
    ['Console: feature flags', flagsError.entries],
    ['Console: experiments', experimentsError.entries],
    ['Console: surveys', surveysError.entries],
    ['Console: links to sessions', sharesError.entries],
    ['Console: notes on sessions', notesError.entries],
    ['Backups', backupsError.entries],
    ['Console: alerts', alertsError.entries],
    ['Console: SQL editor', sqlEditorError.entries],
    ['Console: agents', mcpError.entries],
    ['Console: schema', schemaError.entries],
    ['Console: sign-in setup', setupError.entries],
    ['Console: masks', privacyError.entries],
    ['Console: legal holds', retentionError.entries],
    ['Console: scheduled exports', exportsError.entries],
    ['Console: migrations', migrationsError.entries],
    ['Storage, the S3 protocol alone', s3Error.entries],
  ]
  const sections = catalogues.map(([title, entries]) => {
    const lines = Object.entries(entries).map(
      ([code, { status, message, hint }]) => `| \`${code}\` | ${status} | ${cell(message)} | ${cell(hint)} |`,
    )
    return `## ${title}\n\n| code | status | what happened | what to do |\n|---|---|---|---|\n${lines.join('\n')}\n`
  })
  const codes = exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`)
  const exits = `## Exit codes\n\n| code | what happened |\n|---|---|\n${codes.join('\n')}\n`
  return `${generatedNote}\n\n# Errors\n\n${exits}\n${sections.join('\n')}`
}

/** A text as a cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
