import { nextZone, zone } from '../../model/clock.ts';
import { openOverlay } from '../../model/overlay.ts';
import { nextTheme, theme } from '../../model/theme.ts';

const THEME_MARKS = { system: '◐', light: '☀', dark: '☾' };
const ZONE_TEXT = { local: 'Local', utc: 'UTC' };

/** Buttons that set the zone of times and the theme, and show the keys. */
export function DisplayTools() {
  const chosen = theme.value;
  const clock = zone.value;
  return (
    <div class="display-tools">
      <button
        type="button"
        class="quiet"
        onClick={nextZone}
        title={`Times are ${clock === 'utc' ? 'UTC' : 'local'}. Change`}
        aria-label={`Times: ${ZONE_TEXT[clock]}. Change`}
      >
        {ZONE_TEXT[clock]}
      </button>
      <button
        type="button"
        class="quiet"
        onClick={nextTheme}
        title={`Theme: ${chosen} (t)`}
        aria-label={`Theme: ${chosen}. Change`}
      >
        {THEME_MARKS[chosen]}
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => openOverlay('help')}
        title="Shortcuts (?)"
        aria-label="Keyboard shortcuts"
      >
        ?
      </button>
    </div>
  );
}
