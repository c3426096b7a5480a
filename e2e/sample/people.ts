/** Somebody who comes to the café, in a browser of their own. */
export interface Guest {
  readonly name: string
  readonly email: string
  readonly device: 'laptop' | 'phone'
}

const guest = (name: string, device: Guest['device'] = 'laptop'): Guest => ({
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.test`,
  device,
})

/** Those the seed knows. */
export const ana = guest('Ana Ferreira')
export const ben = guest('Ben Okafor')
export const mia = guest('Mia Lindqvist')

/** Those who become regulars. */
export const lea = guest('Lea Hofmann')
export const tomas = guest('Tomas Reis')
export const ines = guest('Ines Duarte', 'phone')
export const jonas = guest('Jonas Weber')
export const priya = guest('Priya Nair')
export const kofi = guest('Kofi Mensah', 'phone')
export const sofia = guest('Sofia Rossi', 'phone')
export const marek = guest('Marek Novak')
export const elif = guest('Elif Demir')
export const grace = guest('Grace Okoye')

/** Those who only look: they never say who they are. */
export const passerBy = guest('somebody')
export const passerByOnPhone = guest('somebody else', 'phone')
