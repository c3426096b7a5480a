import type { KeptTable, ServiceTables } from '../../ground/model/service-tables.ts'
import { advisorTables } from '../../services/advisor/index.ts'
import { alertsTables } from '../../services/alerts/index.ts'
import { analyticsTables } from '../../services/analytics/index.ts'
import { authTables } from '../../services/auth/index.ts'
import { diskTables } from '../../services/disk/index.ts'
import { experimentsTables } from '../../services/experiments/index.ts'
import { exportsTables } from '../../services/exports/index.ts'
import { flagsTables } from '../../services/flags/index.ts'
import { functionsTables } from '../../services/functions/index.ts'
import { inboxTables } from '../../services/inbox/index.ts'
import { issuesTables } from '../../services/issues/index.ts'
import { netTables } from '../../services/net/index.ts'
import { notesTables } from '../../services/notes/index.ts'
import { operatorsTables } from '../../services/operators/index.ts'
import { otlpTables } from '../../services/otlp/index.ts'
import { privacyTables } from '../../services/privacy/index.ts'
import { realtimeTables } from '../../services/realtime/index.ts'
import { replayTables } from '../../services/replay/index.ts'
import { retentionTables } from '../../services/retention/index.ts'
import { sharesTables } from '../../services/shares/index.ts'
import { sqlEditorTables } from '../../services/sql-editor/index.ts'
import { storageTables } from '../../services/storage/index.ts'
import { surveysTables } from '../../services/surveys/index.ts'
import { threadTables } from '../../services/thread/index.ts'

/** The tables of every service, in the order in which they are created. */
export const serviceTables: readonly ServiceTables[] = [
  authTables,
  inboxTables,
  operatorsTables,
  privacyTables,
  exportsTables,
  analyticsTables,
  flagsTables,
  experimentsTables,
  surveysTables,
  replayTables,
  threadTables,
  otlpTables,
  issuesTables,
  netTables,
  storageTables,
  functionsTables,
  realtimeTables,
  sqlEditorTables,
  sharesTables,
  notesTables,
  advisorTables,
  diskTables,
  alertsTables,
  retentionTables,
]

/** The tables of all services whose rows are deleted by their age. */
export const keptTables: readonly KeptTable[] = serviceTables.flatMap(({ kept = [] }) => kept)
