import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { Meanwhile } from './meanwhile.tsx'
import type { ChangedMeanwhile } from './use-draft.ts'

/** Whether a draft may be saved, and how that goes. */
export interface DraftSaving {
  readonly canChange: boolean
  readonly isSaving: boolean
  /** Why the last attempt to save failed. */
  readonly problem: string | undefined
}

interface DraftFormProps extends DraftSaving {
  /** Whether the draft differs from what is stored. */
  readonly isChanged: boolean
  readonly meanwhile: ChangedMeanwhile | undefined
  readonly onSave: () => void
  readonly onDiscard: () => void
  /** Stands beside the form where there is room, under its buttons. */
  readonly aside: ReactNode
  readonly children: ReactNode
}

/**
 * What is drafted on a screen until it is saved; leaving it before that is asked about. Nothing can be changed in it
 * where its operator may not.
 */
export function DraftForm(props: DraftFormProps) {
  const { isChanged, meanwhile, canChange, isSaving, problem, onSave, onDiscard, aside, children } = props
  return (
    <>
      <form
        className="grid min-h-0 flex-1 content-start gap-x-8 overflow-y-auto px-4 pb-8 wide:grid-cols-[minmax(0,1fr)_280px]"
        onSubmit={(event) => {
          event.preventDefault()
          onSave()
        }}
      >
        <fieldset disabled={!canChange} className="min-w-0">
          {children}
        </fieldset>
        <aside className="grid content-start gap-5 py-3">
          {canChange && (
            <div className="grid gap-2">
              <div className="flex items-center gap-2">
                <Button type="submit" look="primary" disabled={!isChanged || isSaving}>
                  Save
                </Button>
                {isChanged && <Button onClick={onDiscard}>Discard</Button>}
              </div>
              {problem && (
                <p role="alert" className="text-danger">
                  {problem}
                </p>
              )}
              {meanwhile && <Meanwhile {...meanwhile} />}
            </div>
          )}
          {aside}
        </aside>
      </form>
      <LeaveDialog isChanged={isChanged} isSaving={isSaving} text="What was changed here is not saved." />
    </>
  )
}
