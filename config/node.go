package config

import "github.com/goccy/go-yaml/ast"

// shape is what a node is made of.
type shape int

const (
	// shapeBare is text from the environment or a flag: it has no type yet.
	shapeBare shape = iota
	shapeText
	shapeNumber
	shapeBool
	shapeNull
	shapeList
	shapeTable
)

// String returns the word that error messages use.
func (s shape) String() string {
	switch s {
	case shapeBare, shapeText:
		return "text"
	case shapeNumber:
		return "a number"
	case shapeBool:
		return "true or false"
	case shapeNull:
		return "nothing"
	case shapeList:
		return "a list"
	case shapeTable:
		return "a section"
	}
	return "unknown"
}

// node is a value as it was written, before a key gives it a meaning.
type node struct {
	shape   shape
	text    string
	items   []node
	entries []entry
	origin  Origin
	// tree is the syntax below; nil for what was not read as YAML.
	tree ast.Node
}

// entry is one name and its value in a section. Names may repeat: whoever reads
// the section says so.
type entry struct {
	name   string
	origin Origin
	value  node
}

func (n node) scalar() bool {
	return n.shape != shapeNull && n.shape != shapeList && n.shape != shapeTable
}
