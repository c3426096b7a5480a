import type { Locator, Page } from 'playwright-core'

/** Buttons that open something over the page, by their names. */
const opens = /…$|^(?:Add a|Archive|Change|Conclude|Copy as|Delete|Edit|Erase|Invite|New|Rename|Save as|Share)\b/
/** Rows have the same button each. */
const mostPerScreen = 6

/** The name of a button, and the number of those before it on the page. */
export interface Opener {
  readonly name: string
  readonly index: number
}

const buttonsOf = (page: Page): Locator => page.locator('main button:visible:enabled')

/** What the open page has of buttons that open a dialog, a drawer or a menu. */
export async function openersOf(page: Page): Promise<readonly Opener[]> {
  const buttons = await buttonsOf(page).evaluateAll((elements) =>
    elements.map((button) => ({
      name: (button.getAttribute('aria-label') ?? button.textContent ?? '').trim(),
      isPopup: button.hasAttribute('aria-haspopup'),
      isForm: button.getAttribute('type') === 'submit',
    })),
  )
  const found = new Map<string, Opener>()
  buttons.forEach(({ name, isPopup, isForm }, index) => {
    // Of a row only the first: what follows its first word is the row's.
    const kind = isPopup ? `menu ${name.split(' ')[0]}` : name
    if ((isPopup || (opens.test(name) && !isForm)) && !found.has(kind)) found.set(kind, { name, index })
  })
  return [...found.values()].slice(0, mostPerScreen)
}

/** Presses it by the keyboard; resolves to what is open then, or to null where nothing is. */
export async function press(page: Page, { index }: Opener): Promise<Locator | null> {
  const button = buttonsOf(page).nth(index)
  await button.focus()
  await page.keyboard.press('Enter')
  const over = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]').first()
  return over.waitFor({ timeout: 3_000 }).then(
    () => over,
    () => null,
  )
}
