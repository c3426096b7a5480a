import { useQuery } from '@tanstack/react-query'
import { Bookmark, BookmarkPlus, Check, Settings2, Users } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { type SessionFilter, sessionViewsQuery } from '../queries.ts'
import { readSessionsSearch } from '../search.ts'
import { ViewDialog } from './view-dialog.tsx'
import { isOneFilter } from './view-search.ts'
import { ViewsDialog } from './views-dialog.tsx'

interface ViewsMenuProps {
  readonly filter: SessionFilter
  readonly onFilter: (filter: SessionFilter) => void
}

const icon = 'size-3.5 shrink-0 text-ink-2'

/** The saved views of the list: opens one, saves the present filter, and leads to all of them. */
export function ViewsMenu({ filter, onFilter }: ViewsMenuProps) {
  const { data: views = [] } = useQuery(sessionViewsQuery)
  const [dialog, setDialog] = useState<'save' | 'all'>()
  const open = views.find((view) => isOneFilter(readSessionsSearch(view.search), filter))
  const items: readonly MenuItem[] = [
    ...views.map((view) => ({
      id: view.id,
      label: view.name,
      icon:
        view === open ? (
          <Check aria-label="Open" className={icon} />
        ) : view.isShared ? (
          <Users aria-label="Of the team" className={icon} />
        ) : (
          <Bookmark aria-hidden="true" className={icon} />
        ),
      onSelect: () => onFilter(readSessionsSearch(view.search)),
    })),
    ...(open === undefined && Object.keys(filter).length > 0
      ? [
          {
            id: 'save',
            label: 'Save this view…',
            icon: <BookmarkPlus aria-hidden="true" className={icon} />,
            onSelect: () => setDialog('save'),
          },
        ]
      : []),
    {
      id: 'all',
      label: 'All views…',
      icon: <Settings2 aria-hidden="true" className={icon} />,
      onSelect: () => setDialog('all'),
    },
  ]
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        items={items}
        trigger={
          <Button size="small" className="max-w-48">
            <Bookmark aria-hidden="true" className="size-3.5 shrink-0" />
            <span className="truncate">{open?.name ?? 'Views'}</span>
          </Button>
        }
      />
      <ViewDialog open={dialog === 'save'} view={undefined} filter={filter} onClose={close} />
      <ViewsDialog open={dialog === 'all'} filter={filter} onFilter={onFilter} onClose={close} />
    </>
  )
}
