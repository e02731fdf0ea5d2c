package setup

import "embed"

//go:embed pages/*
var pageFiles embed.FS
