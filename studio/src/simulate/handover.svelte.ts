// A run that another view hands over to the simulator.

/** Set before going to the simulator, which takes it and sets it back to nothing. */
export const handover = $state<{ pendingRun: { file: string; title: string } | null }>({ pendingRun: null });
