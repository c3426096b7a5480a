import { lazy, Suspense, useState } from 'react'
import { errorText } from '../../lib/api/api-error.ts'
import type { SqlCatalogue } from '../../lib/api/schemas.ts'
import { showKeys } from '../../lib/keyboard.ts'
import type { Selected } from '../../sql/sql-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { Draft } from './draft.ts'
import { PendingBar } from './pending-bar.tsx'
import { ResultsView } from './results-view.tsx'
import { RunAs } from './run-as.tsx'
import { type RunChoice, useRuns } from './use-runs.ts'

const SqlText = lazy(async () => ({ default: (await import('../../sql/sql-text.tsx')).SqlText }))

const engines = [
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'clickhouse', label: 'ClickHouse' },
] as const

interface WorkbenchProps {
  readonly draft: Draft
  readonly catalogue: SqlCatalogue | undefined
  readonly onDraft: (draft: Draft) => void
}

/** The editor, the role it runs as, and what came of it. */
export function Workbench({ draft, catalogue, onDraft }: WorkbenchProps) {
  const runs = useRuns()
  const { ran, run, decide, cancel, isPending } = runs
  const [selected, setSelected] = useState<Selected>({ text: draft.text, from: 0 })
  const [as, setAs] = useState<Omit<RunChoice, 'engine'>>({ role: null, claims: null, readOnly: false })
  const isPostgres = draft.engine === 'postgres'
  const canRun = !run.isPending && !isPending && selected.text.trim() !== ''
  const start = (mode: 'run' | 'explain' | 'analyze') => {
    if (!canRun) return
    const choice = isPostgres
      ? { ...as, engine: draft.engine }
      : { engine: draft.engine, role: null, claims: null, readOnly: true }
    decide.reset()
    run.mutate({ selected, mode, choice })
  }
  const failure = ran?.answer.failure
  const problem =
    failure == null || failure.position === null || run.isPending || ran === undefined
      ? null
      : { at: ran.selected.from + failure.position, message: failure.message }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Toolbar
        draft={draft}
        roles={catalogue?.roles ?? []}
        as={as}
        isRunning={run.isPending}
        canRun={canRun}
        isSelection={selected.text !== draft.text}
        onEngine={(engine) => onDraft({ ...draft, engine })}
        onAs={setAs}
        onRun={start}
        onCancel={() => cancel.mutate()}
      />
      <div className="flex h-[38%] min-h-36 shrink-0 flex-col border-line border-b">
        <Suspense fallback={<SkeletonRows rows={5} />}>
          <SqlText
            label="SQL"
            engine={draft.engine}
            text={draft.text}
            catalogue={catalogue}
            problem={problem}
            onChange={(text) => onDraft({ ...draft, text })}
            onSelect={setSelected}
            onRun={() => start('run')}
          />
        </Suspense>
      </div>
      <Outcome runs={runs} />
    </div>
  )
}

/** What came of the last run: a question, a note, rows. */
function Outcome({ runs: { ran, run, decide, isPending } }: { readonly runs: ReturnType<typeof useRuns> }) {
  return (
    <>
      {ran && isPending && (
        <PendingBar
          answer={ran.answer}
          isDeciding={decide.isPending}
          problem={decide.error ? errorText(decide.error) : undefined}
          onCommit={() => decide.mutate('commit')}
          onRollback={() => decide.mutate('rollback')}
        />
      )}
      {ran?.decided && (
        <p role="status" className="shrink-0 border-line border-b px-4 py-2">
          {decide.data ?? (ran.decided === 'committed' ? 'Committed.' : 'Rolled back: nothing was kept.')}
        </p>
      )}
      {ran?.answer.alone && (
        <p className="shrink-0 border-line border-b px-4 py-2 text-ink-2">
          PostgreSQL runs this outside a transaction: what it did is kept.
        </p>
      )}
      {run.isPending ? (
        <SkeletonRows />
      ) : run.error ? (
        <p role="alert" className="p-4 text-danger">
          {errorText(run.error)}
        </p>
      ) : ran ? (
        <ResultsView key={ran.answer.id} ran={ran} />
      ) : (
        <Empty title="Results appear here.">
          <p>
            <Kbd>{showKeys('mod+↵')}</Kbd> runs the selection, or everything. What changes rows waits for your word.
          </p>
        </Empty>
      )}
    </>
  )
}

interface ToolbarProps {
  readonly draft: Draft
  readonly roles: readonly string[]
  readonly as: Omit<RunChoice, 'engine'>
  readonly isRunning: boolean
  readonly canRun: boolean
  readonly isSelection: boolean
  readonly onEngine: (engine: Draft['engine']) => void
  readonly onAs: (as: Omit<RunChoice, 'engine'>) => void
  readonly onRun: (mode: 'run' | 'explain' | 'analyze') => void
  readonly onCancel: () => void
}

function Toolbar({ draft, roles, as, isRunning, canRun, isSelection, onEngine, onAs, onRun, onCancel }: ToolbarProps) {
  const isPostgres = draft.engine === 'postgres'
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
      <Select label="Engine" value={draft.engine} options={engines} onChange={onEngine} />
      {isPostgres && roles.length > 0 && (
        <RunAs
          roles={roles}
          role={as.role ?? roles[0] ?? ''}
          claims={as.claims}
          onChange={(role, claims) => onAs({ ...as, role: role === roles[0] ? null : role, claims })}
        />
      )}
      {isPostgres ? (
        <label className="flex items-center gap-1.5 px-1">
          <input
            type="checkbox"
            checked={as.readOnly}
            onChange={(event) => onAs({ ...as, readOnly: event.target.checked })}
          />
          Read only
        </label>
      ) : (
        <span className="px-1 text-ink-2">Read only</span>
      )}
      <div className="ml-auto flex items-center gap-1.5">
        {isPostgres && (
          <>
            <Button look="bare" disabled={!canRun} onClick={() => onRun('explain')}>
              Explain
            </Button>
            <Button
              look="bare"
              disabled={!canRun}
              title="Runs the statement, and takes back what it changed"
              onClick={() => onRun('analyze')}
            >
              Explain analyze
            </Button>
          </>
        )}
        {isRunning ? (
          <Button onClick={onCancel}>Cancel</Button>
        ) : (
          <Button look="primary" disabled={!canRun} onClick={() => onRun('run')}>
            {isSelection ? 'Run the selection' : 'Run'}
          </Button>
        )}
      </div>
    </div>
  )
}
