import { useState } from 'react'
import type { SchemaObjects } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Tick } from '../../ui/tick.tsx'
import { FilteredList, type ListProps } from './filtered-list.tsx'

type Extension = SchemaObjects['extensions'][number]

interface ExtensionsListProps extends ListProps {
  readonly extensions: readonly Extension[] | undefined
}

/** What PostgreSQL can be extended by, those that are created first. */
export function ExtensionsList({ extensions, filter, openKey, onOpen }: ExtensionsListProps) {
  const { canChange } = useRights()
  const opened = extensions?.find(({ name }) => name === openKey)
  const columns: readonly TableColumn<Extension>[] = [
    { id: 'name', title: 'Extension', width: 184, cell: ({ name }) => <span className="mono">{name}</span> },
    {
      id: 'about',
      title: 'About',
      from: 'sheet',
      cell: ({ comment }) => (
        <span className="text-ink-2" title={comment ?? undefined}>
          {comment}
        </span>
      ),
    },
    {
      id: 'schema',
      title: 'Schema',
      width: 120,
      from: 'wide',
      cell: ({ schema }) => <span className="mono">{schema ?? '–'}</span>,
    },
    {
      id: 'version',
      title: 'Version',
      width: 88,
      from: 'narrow',
      cell: ({ installed, version }) => (
        <span className={installed ? undefined : 'text-ink-2'}>{installed ?? version}</span>
      ),
    },
    {
      id: 'state',
      title: 'State',
      width: 104,
      cell: ({ name, installed }) =>
        canChange ? (
          <Button
            size="small"
            look={installed === null ? 'plain' : 'bare'}
            aria-label={installed === null ? `Enable ${name}` : `Disable ${name}`}
            onClick={() => onOpen(name)}
          >
            {installed === null ? 'Enable' : 'Disable'}
          </Button>
        ) : (
          <span className="text-ink-2">{installed === null ? 'available' : 'enabled'}</span>
        ),
    },
  ]
  return (
    <>
      <FilteredList
        label="Extensions"
        columns={columns}
        items={extensions}
        filter={filter}
        nameOf={({ name }) => name}
        openKey={openKey}
        empty={<Empty title="This server has no extensions." />}
      />
      {opened && canChange && <ExtensionDrawer key={opened.name} opened={opened} onClose={() => onOpen(undefined)} />}
    </>
  )
}

function ExtensionDrawer({ opened, onClose }: { readonly opened: Extension; readonly onClose: () => void }) {
  const { name, comment, installed } = opened
  const [schema, setSchema] = useState('extensions')
  const [cascade, setCascade] = useState(false)
  if (installed === null)
    return (
      <ChangeDrawer
        title={`Enable ${name}`}
        action="Enable"
        changes={[{ kind: 'create extension', name, schema: schema === '' ? null : schema }]}
        onClose={onClose}
      >
        <p className="text-ink-2">{comment}</p>
        <Field
          label="Schema of its functions and types"
          value={schema}
          maxLength={63}
          hint="Empty for the one that the extension names."
          onChange={({ target }) => setSchema(target.value)}
        />
      </ChangeDrawer>
    )
  return (
    <ChangeDrawer
      title={`Disable ${name}`}
      action="Disable"
      confirm={name}
      changes={[{ kind: 'drop extension', name, cascade }]}
      onClose={onClose}
    >
      <p className="text-ink-2">{comment}</p>
      <Tick
        label="Drop what depends on it along with it, columns of its types too"
        on={cascade}
        onToggle={setCascade}
      />
    </ChangeDrawer>
  )
}
