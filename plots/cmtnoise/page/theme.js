"use strict";
/* Light or dark, as the system has it until the button is pressed. Figures follow the event "theme". */

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : darkSystem.matches;
}

function themeChanged() {
  document.getElementById("theme").textContent = isDark() ? "Light colours" : "Dark colours";
  document.dispatchEvent(new Event("theme"));
}

document.getElementById("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  themeChanged();
});
darkSystem.addEventListener("change", themeChanged);
themeChanged();
