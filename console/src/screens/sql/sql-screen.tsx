import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Page } from '../../frame/page.tsx'
import { operatorQuery } from '../../lib/api/queries.ts'
import type { SqlQuery } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type Draft, keepDraft, readDraft } from './draft.ts'
import { catalogueQuery, savedQuery } from './queries.ts'
import { RemoveDialog, SaveDialog } from './save-dialog.tsx'
import { Shelf } from './shelf.tsx'
import { Workbench } from './workbench.tsx'

interface SqlScreenProps {
  /** The saved query that is open. */
  readonly queryId: string | undefined
  readonly onQuery: (id: string | undefined) => void
}

/** SQL in PostgreSQL and ClickHouse, for owners and developers. */
export function SqlScreen(props: SqlScreenProps) {
  const { canChange } = useRights()
  const isKnown = useQuery(operatorQuery).data !== undefined
  if (canChange) return <OpenSqlScreen {...props} />
  return (
    <Page title="SQL">
      {isKnown ? (
        <Empty title="SQL is for owners and developers.">
          <p>A statement reads all rows, past row security. Ask an owner for the role of a developer.</p>
        </Empty>
      ) : (
        <SkeletonRows />
      )}
    </Page>
  )
}

function OpenSqlScreen({ queryId, onQuery }: SqlScreenProps) {
  const queryClient = useQueryClient()
  const { data: saved } = useQuery(savedQuery)
  const opened = saved?.find(({ id }) => id === queryId)
  const [draft, setDraft] = useDraft(opened)
  const { data: catalogue } = useQuery(catalogueQuery(draft.engine))
  const [isSaving, setSaving] = useState(false)
  const [removed, setRemoved] = useState<SqlQuery>()
  const [isShelfOpen, setShelfOpen] = useState(false)
  const write = (next: Draft, id?: string) => {
    setDraft(next)
    setShelfOpen(false)
    onQuery(id)
  }
  const savedChanged = () => inBackground(queryClient.invalidateQueries({ queryKey: savedQuery.queryKey }))
  const shelf = (
    <Shelf
      catalogue={catalogue}
      openId={queryId}
      onQuery={({ engine, text, id }) => write({ engine, text }, id)}
      onRun={({ engine, text }) => write({ engine, text })}
      onTable={(name) => write({ ...draft, text: `${draft.text.trimEnd()}\n\nselect * from ${name} limit 100` })}
      onRemove={setRemoved}
    />
  )
  return (
    <Page
      title={opened ? opened.name : 'SQL'}
      actions={
        <>
          <Button className="wide:hidden" onClick={() => setShelfOpen(true)}>
            Saved, history
          </Button>
          <Button onClick={() => setSaving(true)} disabled={draft.text.trim() === ''}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex min-h-0 min-w-0 flex-1">
        <aside
          aria-label="Saved queries, history and tables"
          className="flex w-64 shrink-0 flex-col border-line border-r max-wide:hidden"
        >
          {shelf}
        </aside>
        <Workbench draft={draft} catalogue={catalogue} onDraft={setDraft} />
      </div>
      <Drawer open={isShelfOpen} onClose={() => setShelfOpen(false)} title="Bring into the editor">
        {isShelfOpen && shelf}
      </Drawer>
      <SaveDialog
        key={String(isSaving)}
        open={isSaving}
        draft={draft}
        onSaved={(id) => {
          setSaving(false)
          savedChanged()
          onQuery(id)
        }}
        onClose={() => setSaving(false)}
      />
      <RemoveDialog
        query={removed}
        onRemoved={() => {
          if (removed?.id === queryId) onQuery(undefined)
          setRemoved(undefined)
          savedChanged()
        }}
        onClose={() => setRemoved(undefined)}
      />
    </Page>
  )
}

/** What is written: the open query's text until it is changed here, else what was written last. */
function useDraft(opened: SqlQuery | undefined): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(readDraft)
  const [broughtId, setBroughtId] = useState<string>()
  const brought = opened !== undefined && opened.id !== broughtId ? { engine: opened.engine, text: opened.text } : null
  return [
    brought ?? draft,
    (next) => {
      setBroughtId(opened?.id)
      setDraft(next)
      keepDraft(next)
    },
  ]
}
