import { openOverlay } from '../../model/overlay.ts';

export function NewEndpointButton() {
  return (
    <button type="button" class="primary" onClick={() => openOverlay('new-endpoint')}>
      New endpoint
    </button>
  );
}
