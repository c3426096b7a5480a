/** An amount as a customer reads it. */
export const money = (amount: number): string => `${amount.toFixed(2)} €`
