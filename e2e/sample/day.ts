import {
  ana,
  ben,
  elif,
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
import type { Guests } from './visit.ts'

/** What happens in the café at a time of the day: one visit, or two at once. */
export interface Scene {
  /** `HH:MM:SS` */
  readonly at: string
  play(guests: Guests): Promise<void>
}

const scene = (at: string, play: Scene['play']): Scene => ({ at, play })
const seedPassword = 'coffee please'

/** Whoever signed in before is still signed in on the same browser. */
const buy = (at: string, who: typeof ana, ...products: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const guest = await visit(who)
    await guest.look()
    await guest.fillBasket(...products)
    await guest.order()
    await guest.leave()
  })

const becomeRegular = (at: string, who: typeof ana, ...products: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const guest = await visit(who)
    await guest.look(900)
    await guest.fillBasket(...products)
    await guest.press('Sign in to order')
    await guest.signUp()
    await guest.order()
    await guest.leave()
  })

const leaveAtOnce = (at: string, who: typeof ana): Scene =>
  scene(at, async ({ visit }) => {
    const guest = await visit(who)
    await guest.look(400)
    await guest.leave()
  })

const lookAround = (at: string, who: typeof ana, ...names: readonly string[]): Scene =>
  scene(at, async ({ visit }) => {
    const guest = await visit(who)
    await guest.look(1200)
    for (const name of names) {
      await guest.press(name)
      await guest.look(800)
    }
    await guest.leave()
  })

/** A day of the café: forty visits of fifteen people. */
export const day: readonly Scene[] = [
  scene('07:46:20', async ({ visit }) => {
    const guest = await visit(mia)
    await guest.signIn(seedPassword)
    await guest.press('Prices')
    await guest.changePrice('Filter of the day', '3.20')
    await guest.leave()
  }),
  lookAround('07:58:05', passerBy, 'Add Espresso', 'Sign in'),
  becomeRegular('08:03:41', lea, 'Flat white', 'Cinnamon bun'),
  scene('08:09:13', async ({ visit }) => {
    const guest = await visit(ben)
    await guest.signIn(seedPassword)
    await guest.fillBasket('Espresso')
    await guest.press('One Espresso more')
    await guest.order()
    await guest.leave()
  }),
  scene('08:14:50', async ({ visit }) => {
    const guest = await visit(sofia)
    await guest.look(900)
    await guest.fillBasket('Cappuccino')
    await guest.press('Sign in to order')
    await guest.look(900)
    await guest.leave()
  }),
  becomeRegular('08:19:27', tomas, 'Filter of the day', 'Pastel de nata'),
  becomeRegular('08:26:02', ines, 'Cappuccino'),
  scene('08:33:44', async ({ visit }) => {
    const guest = await visit(jonas)
    await guest.fillBasket('Flat white', 'Pastel de nata')
    await guest.press('Sign in to order')
    await guest.signIn()
    await guest.signUp()
    await guest.order()
    await guest.leave()
  }),
  lookAround('08:47:16', ben, 'My orders', 'My invoices'),
  leaveAtOnce('09:01:38', passerBy),
  becomeRegular('09:08:55', priya, 'Fresh mint', 'Pastel de nata'),
  lookAround('09:22:11', lea, 'My orders', 'My invoices'),
  scene('09:36:29', async ({ visit }) => {
    const guest = await visit(passerByOnPhone, '/lunch')
    await guest.look(900)
    await guest.press('Corner Café')
    await guest.look()
    await guest.leave()
  }),
  becomeRegular('09:49:07', kofi, 'Espresso', 'Cinnamon bun', 'Cinnamon bun'),
  scene('10:04:33', async ({ visit }) => {
    const guest = await visit(ana)
    await guest.signInByCode()
    await guest.fillBasket('Earl Grey', 'Pastel de nata')
    await guest.order()
    await guest.leave()
  }),
  buy('10:17:48', tomas, 'Filter of the day'),
  becomeRegular('10:31:25', sofia, 'Cappuccino', 'Fresh mint'),
  scene('10:44:52', async ({ visit, forget }) => {
    await forget(ines)
    const guest = await visit(ines)
    await guest.signUp()
    await guest.press('Use a password')
    await guest.signIn()
    await guest.press('My orders')
    await guest.look()
    await guest.leave()
  }),
  lookAround('11:03:19', jonas, 'My invoices', 'Menu'),
  scene('11:16:40', async ({ visit }) => {
    const guest = await visit(mia)
    await guest.press('Prices')
    await guest.changePrice('Tomato soup', '6.50')
    await guest.leave()
  }),
  becomeRegular('11:39:14', marek, 'Tomato soup', 'Tomato soup'),
  becomeRegular('11:53:36', elif, 'Cheese toastie', 'Fresh mint'),
  buy('12:04:08', ben, 'Cheese toastie', 'Espresso'),
  lookAround('12:09:57', passerBy, 'Add Tomato soup', 'Add Fresh mint'),
  buy('12:15:22', priya, 'Tomato soup', 'Earl Grey'),
  buy('12:21:45', lea, 'Cheese toastie', 'Flat white'),
  scene('12:30:31', async ({ visit }) => {
    const guest = await visit(kofi, '/admin')
    await guest.look()
    await guest.changePrice('Cheese toastie', '5.00')
    await guest.look(900)
    await guest.leave()
  }),
  // Two want more cinnamon buns than there are: the second is refused.
  scene('12:41:03', async ({ visit }) => {
    const [late, quick] = [await visit(ines), await visit(tomas)]
    const buns = Array.from({ length: 4 }, () => 'Cinnamon bun')
    await late.fillBasket(...buns)
    await quick.fillBasket('Espresso', ...buns)
    await quick.order()
    await late.order()
    await late.look(900)
    await quick.leave()
    await late.leave()
  }),
  buy('13:24:17', sofia, 'Cappuccino'),
  lookAround('13:47:50', marek, 'My orders', 'My invoices'),
  buy('14:06:12', ana, 'Flat white'),
  scene('14:21:39', async ({ visit }) => {
    const guest = await visit(elif)
    await guest.fillBasket('Cappuccino', 'Pastel de nata')
    await guest.press('One Pastel de nata more')
    await guest.press('One Cappuccino less')
    await guest.look(900)
    await guest.leave()
  }),
  scene('14:38:04', async ({ visit }) => {
    const guest = await visit(jonas)
    await guest.fillBasket('Espresso')
    await guest.order()
    await guest.press('Sign out')
    await guest.look()
    await guest.leave()
  }),
  becomeRegular('15:02:26', grace, 'Flat white', 'Cinnamon bun'),
  buy('15:26:58', kofi, 'Filter of the day', 'Pastel de nata'),
  buy('16:19:20', ben, 'Cappuccino'),
  buy('16:44:43', lea, 'Earl Grey', 'Pastel de nata'),
  scene('17:08:15', async ({ visit }) => {
    const guest = await visit(mia)
    await guest.press('Prices')
    await guest.changePrice('Almond croissant', '2.90')
    await guest.changePrice('Filter of the day', '3.10')
    await guest.leave()
  }),
  leaveAtOnce('17:41:09', passerByOnPhone),
]
