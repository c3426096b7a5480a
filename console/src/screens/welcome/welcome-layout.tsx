import type { ReactNode } from 'react'
import { ClewMark } from '../../frame/clew-mark.tsx'
import { classes } from '../../ui/classes.ts'

interface WelcomeLayoutProps {
  readonly project: string
  readonly step: 'owner' | 'connect'
  readonly children: ReactNode
}

const steps = [
  { name: 'owner', label: 'Owner' },
  { name: 'connect', label: 'Application' },
] as const

/** The first steps, without the frame around the console. */
export function WelcomeLayout({ project, step, children }: WelcomeLayoutProps) {
  return (
    <div className="h-full overflow-y-auto">
      <header className="flex h-11 items-center gap-2 border-line border-b px-4">
        <ClewMark />
        <span className="truncate font-semibold">{project}</span>
        <ol className="ml-auto flex gap-4" aria-label="Steps">
          {steps.map(({ name, label }, index) => (
            <li
              key={name}
              aria-current={name === step ? 'step' : undefined}
              className={classes('tabular', name === step ? 'font-medium text-ink' : 'text-ink-2')}
            >
              {index + 1} {label}
            </li>
          ))}
        </ol>
      </header>
      <main className="mx-auto max-w-[960px] px-4 py-10 max-sheet:py-6">{children}</main>
    </div>
  )
}
