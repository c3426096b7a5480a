import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { SchemaChange, SchemaFunction } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { DropCascadeDrawer } from '../../schema/drop-cascade-drawer.tsx'
import { functionQuery } from '../../schema/queries.ts'
import { SqlField } from '../../schema/sql-field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { type ListProps, OpeningList, QualifiedName } from './filtered-list.tsx'

const keyOf = ({ schema, name, arguments: sent }: SchemaFunction) => `${schema}.${name}(${sent})`

const columns: readonly TableColumn<SchemaFunction>[] = [
  {
    id: 'name',
    title: 'Function',
    cell: ({ schema, name, arguments: sent }) => (
      <>
        <QualifiedName schema={schema} name={name} />
        <span className="mono text-ink-2">({sent})</span>
      </>
    ),
  },
  {
    id: 'returns',
    title: 'Returns',
    width: 184,
    from: 'sheet',
    cell: ({ returns }) => <span className="mono text-ink-2">{returns ?? 'a procedure'}</span>,
  },
  { id: 'language', title: 'Language', width: 88, from: 'sheet', cell: ({ language }) => language },
  {
    id: 'rights',
    title: 'Runs as',
    width: 96,
    from: 'narrow',
    cell: ({ securityDefiner }) =>
      securityDefiner ? <span className="text-warn">its owner</span> : <span className="text-ink-2">its caller</span>,
  },
]

interface FunctionsListProps extends ListProps {
  readonly functions: readonly SchemaFunction[] | undefined
}

/** The functions and procedures of all schemas; one opens with its source. */
export function FunctionsList({ functions, ...list }: FunctionsListProps) {
  return (
    <OpeningList
      {...list}
      label="Functions"
      columns={columns}
      items={functions}
      nameOf={keyOf}
      empty={
        <Empty title="No functions yet.">
          <p>A function is called by triggers, by policies, and by clients as an RPC.</p>
        </Empty>
      }
      drawerOf={(opened, onClose) => <FunctionDrawer opened={opened} onClose={onClose} />}
    />
  )
}

interface FunctionDrawerProps {
  readonly opened: SchemaFunction
  readonly onClose: () => void
}

function FunctionDrawer({ opened, onClose }: FunctionDrawerProps) {
  const { canChange } = useRights()
  const { data, error, refetch } = useQuery(functionQuery(opened.id))
  const [mode, setMode] = useState<'read' | 'edit' | 'drop'>('read')
  const [text, setText] = useState<string>()
  const { schema, name, arguments: sent, returns } = opened
  if (mode === 'drop')
    return (
      <DropCascadeDrawer
        name={name}
        changeOf={(cascade) => ({
          ...{ kind: 'drop function', schema, name, arguments: sent, procedure: returns === null, cascade },
        })}
        onApplied={onClose}
        onClose={() => setMode('read')}
      />
    )
  if (mode === 'edit' && data)
    return (
      <ChangeDrawer
        title={`Edit ${name}`}
        action="Save"
        changes={definitionOf(text, data.definition)}
        onClose={() => setMode('read')}
      >
        <SqlField label="Definition" text={text ?? data.definition} onChange={setText} />
      </ChangeDrawer>
    )
  return (
    <Drawer open onClose={onClose} title={`${schema}.${name}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        {opened.comment && <p className="text-ink-2">{opened.comment}</p>}
        <Facts>
          <Fact name="Language">{opened.language}</Fact>
          <Fact name="Returns">
            <span className="mono">{returns ?? 'nothing: a procedure'}</span>
          </Fact>
          <Fact name="Changes">{opened.volatility}</Fact>
          <Fact name="Runs as">{opened.securityDefiner ? <Badge tone="warn">its owner</Badge> : 'its caller'}</Fact>
        </Facts>
        {data ? (
          <Code text={data.definition} language="sql" copyLabel="Copy the definition" />
        ) : error ? (
          <ErrorProblem error={error} onRetry={refetch} />
        ) : (
          <SkeletonRows rows={6} />
        )}
        {canChange && opened.changeable && (
          <div className="flex gap-2">
            <Button disabled={!data} onClick={() => setMode('edit')}>
              Edit
            </Button>
            <Button look="danger" onClick={() => setMode('drop')}>
              Drop
            </Button>
          </div>
        )}
      </div>
    </Drawer>
  )
}

/** Nothing while the text is as it is stored. */
const definitionOf = (text: string | undefined, stored: string): readonly SchemaChange[] =>
  text === undefined || text.trim() === '' || text === stored ? [] : [{ kind: 'define function', definition: text }]
