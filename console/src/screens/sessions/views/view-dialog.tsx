import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../lib/api/api-error.ts'
import type { SessionView } from '../../../lib/api/schemas.ts'
import { sessionViewsApi } from '../../../lib/api/session-views.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { type SessionFilter, sessionViewsQuery } from '../queries.ts'
import { readSessionsSearch } from '../search.ts'
import { isOneFilter, renderViewSearch } from './view-search.ts'

interface ViewDialogProps {
  readonly open: boolean
  /** What is changed; a new one where there is none. */
  readonly view: SessionView | undefined
  /** Of the list. */
  readonly filter: SessionFilter
  readonly onClose: () => void
}

/** Gives the present filter a name, or a view another name, filter or owner. */
export function ViewDialog({ open, view, filter, onClose }: ViewDialogProps) {
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async (form: FormData) => {
      const takesFilter = view === undefined || form.has('filter')
      const draft = {
        name: String(form.get('name')).trim(),
        search: takesFilter ? renderViewSearch(filter) : view.search,
        isShared: form.has('shared'),
      }
      if (view === undefined) await sessionViewsApi.createSessionView(draft)
      else await sessionViewsApi.changeSessionView(view.id, draft)
      await queryClient.invalidateQueries({ queryKey: sessionViewsQuery.queryKey })
    },
    onSuccess: onClose,
  })
  const isOther = view !== undefined && !isOneFilter(readSessionsSearch(view.search), filter)
  return (
    <Dialog open={open} onClose={onClose} title={view === undefined ? 'Save this view' : `Change “${view.name}”`}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(new FormData(event.currentTarget))
        }}
      >
        <Field
          label="Name"
          name="name"
          required
          pattern=".*\S.*"
          maxLength={80}
          autoFocus
          autoComplete="off"
          defaultValue={view?.name ?? ''}
          problem={save.error ? errorText(save.error) : undefined}
        />
        <Tick name="shared" label="For the team: all who see sessions find it" on={view?.isShared ?? false} />
        {isOther && <Tick name="filter" label="With the filter that the list has now" on={false} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Tick({ name, label, on }: { readonly name: string; readonly label: string; readonly on: boolean }) {
  return (
    <label className="flex items-center gap-1.5">
      <input type="checkbox" name={name} defaultChecked={on} />
      {label}
    </label>
  )
}
