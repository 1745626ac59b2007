/** A fault between the processes, as a sentence for the log. Never holds a secret. */
export class ChargingFault extends Error {
  override readonly name = 'ChargingFault';
}
