import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import type { DiagramTable } from '../../lib/api/schema.ts'
import { inBackground } from '../../lib/in-background.ts'
import { live } from '../../lib/live/topics.ts'
import { saveFile } from '../../lib/save-file.ts'
import { relationsQuery } from '../../schema/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DiagramList } from './diagram-list.tsx'
import { keepPlaces, readPlaces } from './kept-places.ts'
import { type Place, placeTables } from './layout.ts'
import { type PictureColours, renderSvg, toPng } from './picture.ts'

const DiagramCanvas = lazy(async () => ({ default: (await import('./diagram-canvas.tsx')).DiagramCanvas }))

/** What of a schema is shown, and how. */
export interface DiagramView {
  readonly schema: string
  readonly filter: string
  readonly look: 'diagram' | 'list'
}

interface SchemaDiagramScreenProps extends DiagramView {
  readonly onView: (view: DiagramView) => void
}

const diagramQuery = (schema: string) =>
  queryOptions({
    queryKey: ['schema', 'diagram', schema],
    queryFn: ({ signal }) => api.schemaDiagram(schema, { signal }),
    meta: live('console'),
  })

/** The tables of a schema and how they name one another. */
export function SchemaDiagramScreen({ onView, ...view }: SchemaDiagramScreenProps) {
  const { schema, filter, look } = view
  const { data: tables, error, refetch } = useQuery(diagramQuery(schema))
  const { data: relations } = useQuery(relationsQuery)
  const schemas = [...new Set([schema, ...(relations?.schemas ?? [])])]
  const all = relations?.tables.filter((one) => one.schema === schema && /^(partitioned )?table$/.test(one.kind)).length
  return (
    <Page
      title="Diagram"
      crumbs={[{ label: 'Schema', link: { to: '/schema' } }]}
      facts={
        tables &&
        all !== undefined &&
        all > tables.length && (
          <span>
            the first {tables.length} of {all} tables
          </span>
        )
      }
      actions={
        <Button
          aria-pressed={look === 'list'}
          onClick={() => onView({ ...view, look: look === 'list' ? 'diagram' : 'list' })}
        >
          As a list
        </Button>
      }
    >
      <div className="flex h-10 shrink-0 items-center gap-3 border-line border-b px-4">
        <Select
          label="Schema"
          value={schema}
          options={schemas.map((value) => ({ value, label: value }))}
          onChange={(next) => onView({ ...view, schema: next, filter: '' })}
        />
        <Filter label="Find a table" value={filter} onChange={(text) => onView({ ...view, filter: text })} />
      </div>
      {!tables ? (
        error ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : (
          <SkeletonRows />
        )
      ) : tables.length === 0 ? (
        <Empty title={`The schema ${schema} has no tables.`} />
      ) : look === 'list' ? (
        <DiagramList tables={tables} filter={filter} />
      ) : (
        <Drawing key={JSON.stringify(tables)} schema={schema} tables={tables} filter={filter} />
      )}
    </Page>
  )
}

interface DrawingProps {
  readonly schema: string
  readonly tables: readonly DiagramTable[]
  readonly filter: string
}

function Drawing({ schema, tables, filter }: DrawingProps) {
  const [moved, setMoved] = useState(() => readPlaces(schema))
  const [placing, setPlacing] = useState(0)
  const [placed] = useState(() => placeTables(tables))
  const places = new Map<string, Place>([...placed, ...moved])
  const keep = (next: ReadonlyMap<string, Place>) => {
    setMoved(next)
    keepPlaces(schema, next)
  }
  const svg = () => renderSvg(tables, places, coloursOf(document.documentElement))
  return (
    <div className="relative min-h-0 flex-1">
      <Suspense fallback={<SkeletonRows />}>
        <DiagramCanvas
          key={placing}
          tables={tables}
          places={places}
          filter={filter}
          onMove={(name, place) => keep(new Map([...moved, [name, place]]))}
        />
      </Suspense>
      <div className="absolute top-3 right-4 flex gap-1.5">
        {moved.size > 0 && (
          <Button
            onClick={() => {
              keep(new Map())
              setPlacing(placing + 1)
            }}
          >
            Arrange anew
          </Button>
        )}
        <Menu
          trigger={<Button>Export</Button>}
          items={[
            { label: 'As SVG', onSelect: () => saveFile(`${schema}.svg`, svg(), 'image/svg+xml') },
            {
              label: 'As PNG',
              onSelect: () => inBackground(toPng(svg()).then((png) => saveFile(`${schema}.png`, png, 'image/png'))),
            },
          ]}
        />
      </div>
    </div>
  )
}

/** The colours of the page, in which the picture is drawn. */
function coloursOf(page: Element): PictureColours {
  const style = getComputedStyle(page)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return { paper: of('--paper'), surface: of('--surface'), line: of('--line'), ink: of('--ink'), quiet: of('--ink-2') }
}
