import { signal } from '@preact/signals';

const KEY = 'hookrelay-theme';
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === value) ?? 'system';
}

/** The theme that the user chose, or the system's. */
export const theme = signal<Theme>(stored());

/** Applies the theme now, and whenever it changes. */
export function applyTheme(): void {
  theme.subscribe((value) => {
    if (value === 'system') {
      localStorage.removeItem(KEY);
      document.documentElement.removeAttribute('data-theme');
    } else {
      localStorage.setItem(KEY, value);
      document.documentElement.dataset.theme = value;
    }
  });
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme;
}
