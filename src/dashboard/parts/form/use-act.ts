import { act } from '../../model/page.ts';
import { useAction } from './use-action.ts';

/** Runs an action like `useAction`. If the action fails, shows a notice. */
export function useAct(): [
  isBusy: boolean,
  run: (action: () => Promise<unknown>) => Promise<void>,
] {
  const [isBusy, once] = useAction();
  return [isBusy, (action) => once(() => act(action))];
}
