import type { ReactNode } from 'react'
import type { RequestDetail, ServerSpan } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { CausedList } from '../caused-list.tsx'
import { ChangeList } from '../change-list.tsx'
import { LogList } from '../log-list.tsx'
import { SendList } from '../send-list.tsx'
import { ServerLogList } from '../spans/server-log-list.tsx'
import { SpanTree } from '../spans/span-tree.tsx'
import { UndoButton } from '../undo/undo-button.tsx'
import { ExchangePart } from './exchange-part.tsx'
import { PhasesBar } from './phases-bar.tsx'
import { RequestError } from './request-error.tsx'
import { RequestFacts } from './request-facts.tsx'
import { RequestHeading } from './request-heading.tsx'
import { StatementList } from './statement-list.tsx'

/** One request: its links, its facts, the SQL it ran, the rows it changed. Drawn in the drawer and on its own page. */
export function RequestView({ detail }: { readonly detail: RequestDetail }) {
  const { request, statements, changes, sends, logs, trace, caused } = detail
  const { canChange } = useRights()
  return (
    <div className="@container">
      <div className="grid @4xl:grid-cols-[380px_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 p-4">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <RequestHeading detail={detail} />
          {detail.error && <RequestError error={detail.error} />}
          <PhasesBar detail={detail} />
          <RequestFacts detail={detail} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Part
            title="Rows changed"
            count={changes.length}
            none="This request changed no rows."
            action={<UndoButton title="Undo what this request changed" changes={changes} />}
          >
            <ChangeList changes={changes} />
          </Part>
          {sends.length > 0 && (
            <Part title="Sent" count={sends.length} none="">
              <SendList sends={sends} />
            </Part>
          )}
          {caused.length > 0 && (
            <Part title="Requests of the function" count={caused.length} none="">
              <CausedList requests={caused} />
            </Part>
          )}
          {logs.length > 0 && (
            <Part title="Log" count={logs.length} none="">
              <LogList logs={logs} />
            </Part>
          )}
          {trace && (
            <Part title="Servers" count={trace.spans.filter(isOfServer).length + trace.logs.length} none="">
              <SpanTree spans={trace.spans} />
              {trace.logs.length > 0 && <ServerLogList logs={trace.logs} />}
              {trace.isCut && <p className="text-ink-2">There is more than is shown here.</p>}
            </Part>
          )}
          <Part title="SQL" count={statements.length} none="This request ran no SQL of the application.">
            <StatementList requestId={request.id} statements={statements} canPlan={canChange} />
          </Part>
          {canChange && (
            <ExchangePart
              exchange={detail.exchange}
              requestBytes={detail.requestBytes}
              responseBytes={detail.responseBytes}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** The request itself and its statements stand among them, and are counted elsewhere. */
const isOfServer = ({ kind }: ServerSpan): boolean => kind !== 'request' && kind !== 'statement'

interface PartProps {
  readonly title: string
  readonly count: number
  readonly none: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

function Part({ title, count, none, action, children }: PartProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-baseline justify-between gap-2">
        <h2 className="font-semibold">
          {title} {count > 0 && <span className="tabular font-normal text-ink-2">{count}</span>}
        </h2>
        {action}
      </div>
      {count === 0 ? <p className="text-ink-2">{none}</p> : children}
    </section>
  )
}
