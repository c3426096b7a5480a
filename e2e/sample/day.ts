import {
  ana,
  ben,
  elif,
  type Guest,
  grace,
  ines,
  jonas,
  kofi,
  lea,
  marek,
  mia,
  passerBy,
  passerByOnPhone,
  priya,
  sofia,
  tomas,
} from './people.ts'
import type { Guests, Visit } from './visit.ts'

/** What happens in the café at a time of the day: one visit, or two at once. */
export interface Scene {
  /** `HH:MM:SS` */
  readonly at: string
  play(guests: Guests): Promise<void>
}

const scene = (at: string, play: Scene['play']): Scene => ({ at, play })
const seedPassword = 'coffee please'

/** Who signed in before is still signed in on this browser. */
const buy = (at: string, guest: Guest, ...products: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const page = await visit(guest)
    await page.fillBasket(...products)
    await page.order()
    await page.leave()
  })

const becomeRegular = (at: string, guest: Guest, ...products: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const page = await visit(guest)
    await page.look()
    await page.fillBasket(...products)
    await page.press('Sign in to order')
    await page.signUp()
    await page.order()
    await page.leave()
  })

/** Fills a basket, thinks for so many seconds, and goes. */
const abandon = (at: string, guest: Guest, thinks: number, ...products: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const page = await visit(guest)
    await page.fillBasket(...products)
    await page.look(thinks)
    await page.leave()
  })

const lookAround = (at: string, guest: Guest, ...names: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const page = await visit(guest)
    await page.look()
    for (const name of names) {
      await page.press(name)
      await page.look()
    }
    await page.leave()
  })

/** Presses what does nothing, again and again. */
const shareInVain = async (page: Visit): Promise<void> => {
  for (let press = 0; press < 4; press += 1) await page.press(/^Share/)
}

/** A day of the café: forty visits of fifteen people. */
export const day: readonly Scene[] = [
  scene('07:42:20', async ({ visit }) => {
    const page = await visit(mia)
    await page.signIn(seedPassword)
    await page.press('Prices')
    await page.changePrice('Filter of the day', '3.20')
    // As the camera made it: over the bucket's five megabytes, and then of a type that it does not take.
    await page.changePhoto('Tomato soup', { name: 'IMG_2041.jpg', mimeType: 'image/jpeg', bytes: 6_300_000 })
    await page.changePhoto('Tomato soup', { name: 'IMG_2041.heic', mimeType: 'image/heic', bytes: 400_000 })
    await page.leave()
  }),
  lookAround('07:58:05', passerBy, 'Add Espresso', 'Sign in'),
  becomeRegular('08:03:41', lea, 'Flat white', 'Cinnamon bun'),
  scene('08:09:13', async ({ visit }) => {
    const page = await visit(ben)
    await page.signIn(seedPassword)
    await page.fillBasket('Espresso')
    await page.press('One Espresso more')
    await page.order()
    await page.leave()
  }),
  // Comes as far as the sign-in, and back two hours later.
  scene('08:14:50', async ({ visit }) => {
    const page = await visit(sofia)
    await page.fillBasket('Cappuccino')
    await page.press('Sign in to order')
    await page.look(55)
    await page.leave()
  }),
  becomeRegular('08:19:27', tomas, 'Filter of the day', 'Pastel de nata'),
  becomeRegular('08:26:02', ines, 'Cappuccino'),
  scene('08:33:44', async ({ visit }) => {
    const page = await visit(jonas)
    await page.fillBasket('Flat white', 'Pastel de nata')
    await page.press('Sign in to order')
    await page.signIn()
    await page.signUp()
    await page.order()
    await page.leave()
  }),
  lookAround('09:01:38', passerBy),
  becomeRegular('09:08:55', priya, 'Fresh mint', 'Pastel de nata'),
  scene('09:22:11', async ({ visit }) => {
    const page = await visit(lea)
    await page.press('My orders')
    await page.look()
    await shareInVain(page)
    await page.press('My invoices')
    await page.look(20)
    await page.leave()
  }),
  scene('09:36:29', async ({ visit }) => {
    const page = await visit(passerByOnPhone, '/lunch')
    await page.look()
    await page.press('Corner Café')
    await page.look(48)
    await page.leave()
  }),
  becomeRegular('09:49:07', kofi, 'Espresso', 'Cinnamon bun', 'Cinnamon bun'),
  scene('10:04:33', async ({ visit }) => {
    const page = await visit(ana)
    await page.signInByCode()
    await page.fillBasket('Earl Grey', 'Pastel de nata')
    await page.order()
    await page.leave()
  }),
  buy('10:17:48', tomas, 'Filter of the day'),
  becomeRegular('10:31:25', sofia, 'Cappuccino', 'Fresh mint'),
  scene('10:44:52', async ({ visit, forget }) => {
    await forget(ines)
    const page = await visit(ines)
    await page.signUp()
    await page.press('Use a password')
    await page.signIn()
    await page.press('My orders')
    await page.look()
    await page.leave()
  }),
  scene('11:03:19', async ({ visit }) => {
    const page = await visit(jonas)
    await page.press('My invoices')
    await page.look()
    await page.press('My orders')
    await shareInVain(page)
    await page.leave()
  }),
  abandon('11:14:02', priya, 95, 'Almond croissant', 'Flat white'),
  becomeRegular('11:39:14', marek, 'Tomato soup', 'Tomato soup'),
  becomeRegular('11:53:36', elif, 'Cheese toastie', 'Fresh mint'),
  // Mia stands at the counter: what Ben orders comes to her, and how far it is comes to him.
  scene('12:04:08', async ({ visit }) => {
    const counter = await visit(mia, '/counter')
    const guest = await visit(ben)
    await guest.fillBasket('Cheese toastie', 'Espresso')
    await guest.order()
    await counter.serve('1 × Espresso, 1 × Cheese toastie')
    await guest.look()
    await counter.leave()
    await guest.leave()
  }),
  abandon('12:11:57', passerBy, 130, 'Tomato soup', 'Fresh mint'),
  buy('12:17:22', priya, 'Tomato soup', 'Earl Grey'),
  buy('12:22:45', lea, 'Cheese toastie', 'Flat white'),
  scene('12:30:31', async ({ visit }) => {
    const page = await visit(kofi, '/admin')
    await page.look()
    await page.changePrice('Cheese toastie', '5.00')
    await page.look()
    await page.leave()
  }),
  // Two want more cinnamon buns than there are: the second is refused, and goes without.
  scene('12:41:03', async ({ visit }) => {
    const [late, quick] = [await visit(ines), await visit(tomas)]
    const buns = (count: number) => Array.from({ length: count }, () => 'Cinnamon bun')
    await late.fillBasket(...buns(4))
    await quick.fillBasket('Espresso', ...buns(5))
    await quick.order()
    await late.order()
    await quick.leave()
    await late.leave()
  }),
  buy('13:24:17', sofia, 'Cappuccino'),
  // Wants what there was in the morning, and it is gone: refused twice.
  scene('13:47:50', async ({ visit }) => {
    const page = await visit(kofi)
    await page.press('My orders')
    await page.look()
    await page.press(/^Order again/)
    await page.look()
    await page.order()
    await page.order()
    await page.press(/^Menu/)
    await page.look()
    await page.leave()
  }),
  buy('14:06:12', ana, 'Flat white'),
  scene('14:21:39', async ({ visit }) => {
    const page = await visit(elif)
    await page.fillBasket('Cappuccino', 'Pastel de nata')
    await page.press('One Pastel de nata more')
    await page.look()
    await page.press('One Cappuccino less')
    await page.look(70)
    await page.leave()
  }),
  scene('14:38:04', async ({ visit }) => {
    const page = await visit(jonas)
    await page.fillBasket('Espresso')
    await page.order()
    await page.press('Sign out')
    await page.look()
    await page.leave()
  }),
  becomeRegular('15:02:26', grace, 'Flat white', 'Cinnamon bun'),
  buy('15:26:58', kofi, 'Filter of the day', 'Pastel de nata'),
  scene('16:19:20', async ({ visit }) => {
    const page = await visit(ben)
    await page.press('My orders')
    await page.look()
    await page.press(/^Order again/)
    await page.look()
    await page.order()
    await page.leave()
  }),
  abandon('16:44:43', lea, 64, 'Earl Grey', 'Pastel de nata'),
  scene('17:08:15', async ({ visit }) => {
    const page = await visit(mia)
    await page.press('Prices')
    await page.changePrice('Almond croissant', '2.90')
    await page.changePrice('Filter of the day', '3.10')
    await page.leave()
  }),
  // On the tram: the network is gone as the menu is opened again.
  scene('17:41:09', async ({ visit }) => {
    const page = await visit(passerByOnPhone)
    await page.look()
    await page.press(/^Basket/)
    await page.loseNetwork(40, () => page.press('Menu'))
    await page.press(/^Basket/)
    await page.press('See the menu')
    await page.look()
    await page.leave()
  }),
]
