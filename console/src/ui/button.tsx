import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

const looks = {
  plain: 'border-line bg-surface text-ink hover:bg-sunken',
  primary: 'border-thread bg-thread text-on-thread font-medium hover:brightness-95',
  bare: 'border-transparent bg-transparent text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'border-line bg-surface text-danger hover:bg-sunken',
}

const sizes = {
  small: 'h-6 px-2 text-sm gap-1',
  normal: 'h-7 px-2.5 gap-1.5',
  large: 'h-9 px-3.5 gap-2',
  icon: 'size-7 justify-center',
}

/** How a button looks; `primary` is the one action a screen is about. */
export type ButtonLook = keyof typeof looks

/** The classes of a button, for a link that looks like one. */
export function buttonClasses(look: ButtonLook = 'plain', size: keyof typeof sizes = 'normal'): string {
  return classes(
    'inline-flex shrink-0 items-center whitespace-nowrap rounded-control border transition-colors select-none',
    'disabled:opacity-50 aria-pressed:bg-sunken aria-pressed:text-ink',
    looks[look],
    sizes[size],
  )
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: ButtonLook
  readonly size?: keyof typeof sizes
}

/** Something that acts. An icon alone needs `aria-label`. */
export function Button({ look = 'plain', size = 'normal', className, type = 'button', ...rest }: ButtonProps) {
  return <button type={type} className={classes(buttonClasses(look, size), className)} {...rest} />
}
