package config

import "go.yaml.in/yaml/v3"

// A SettingsFile is what a new settings file says. [LoadSettings] reads it back.
// It names the files with the secrets and holds none.
type SettingsFile struct {
	AppID      int64  `yaml:"app_id"`
	KeyFile    string `yaml:"key_file"`
	SecretFile string `yaml:"webhook_secret_file"`
	Database   string `yaml:"database"`
	Listen     string `yaml:"listen"`
	API        string `yaml:"api_url,omitempty"`
}

// Encode is the file's text.
func (f SettingsFile) Encode() []byte {
	text, _ := yaml.Marshal(f) // strings and a number always marshal
	return append([]byte("# Made by cardkeeper setup. Change it as you like; the README says what else it takes.\n"), text...)
}
