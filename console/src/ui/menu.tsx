import { Menu as Base } from '@base-ui/react/menu'
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { classes } from './classes.ts'

/** One line of a menu. */
export interface MenuItem {
  readonly label: string
  /** Where several lines have one label. */
  readonly id?: string
  readonly onSelect: () => void
  readonly icon?: ReactNode
  readonly danger?: boolean
}

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<ComponentProps<'button'>>
  readonly items: readonly MenuItem[]
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
  /** It opens as it appears: its button was pressed before. */
  readonly isOpen?: boolean
}

/** Actions behind a button. Until its first press there is only the button: a long list has a menu in each row. */
export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(props.isOpen ?? false)
  if (isUsed) return <UsedMenu {...props} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setUsed(true),
  })
}

function UsedMenu({ trigger, items, side = 'bottom', align = 'end' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  // Opened by a press, as ever after: one that begins open has no first item for the keyboard.
  useEffect(() => button.current?.click(), [])
  return (
    <Base.Root>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={4} className="z-50">
          <Base.Popup className="min-w-44 rounded-float bg-surface p-1 shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0">
            {items.map((item) => (
              <Base.Item
                key={item.id ?? item.label}
                onClick={item.onSelect}
                className={classes(
                  'flex h-7 items-center gap-2 rounded-small px-2 outline-none data-highlighted:bg-sunken',
                  item.danger ? 'text-danger' : 'text-ink',
                )}
              >
                {item.icon}
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
