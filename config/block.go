package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Block is a part of the configuration whose keys belong to somebody else: the
// processor. It remembers where each of its values was written.
type Block struct {
	// Path is the key of the block: "processor", or "processor.forward".
	Path string

	root   node
	origin Origin
}

// Empty tells that nothing was written.
func (b Block) Empty() bool {
	switch b.root.shape {
	case shapeBare, shapeText:
		return b.root.text == ""
	case shapeNull:
		return true
	case shapeTable:
		return len(b.root.entries) == 0
	case shapeNumber, shapeBool, shapeList:
	}
	return false
}

// Choice gives the single name of the block and what stands below it. A single
// word, `processor: log`, is a name with nothing below it. names are the valid
// ones, for the error.
func (b Block) Choice(names []string) (string, Block, error) {
	var p problems
	valid := "it wants one of " + strings.Join(names, ", ") + ", such as {" + names[0] + ": {}}"
	switch {
	case b.Empty():
		p.add(b.origin, b.Path, "is not set", valid)
	case b.root.scalar():
		return b.root.text, Block{Path: b.Path + "." + b.root.text, origin: b.root.origin}, b.named(b.root.text, b.root.origin, names)
	case b.root.shape != shapeTable:
		p.add(b.root.origin, b.Path, "wants the name of a processor, not "+b.root.shape.String(), valid)
	case len(b.root.entries) > 1:
		second := b.root.entries[1]
		p.add(second.origin, b.Path, fmt.Sprintf("names two processors, %s and %s", b.root.entries[0].name, second.name), "keep one")
	default:
		e := b.root.entries[0]
		below := Block{Path: b.Path + "." + e.name, root: e.value, origin: e.origin}
		return e.name, below, b.named(e.name, e.origin, names)
	}
	return "", Block{}, p.err()
}

func (b Block) named(name string, at Origin, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	var p problems
	remedy := "it wants one of " + strings.Join(names, ", ")
	if near := Nearest(name, names); near != "" {
		remedy = didYouMean(near)
	}
	p.add(at, b.Path, fmt.Sprintf("%q is not a processor of this program", name), remedy)
	return p.err()
}

// Refuse gives an error with this message, and the place of the block, unless
// the block is empty.
func (b Block) Refuse(message string) error {
	var p problems
	if !b.Empty() {
		p.add(b.origin, b.Path, message, "leave it away")
	}
	return p.err()
}

// Validator is what the value that Decode fills may implement: its error is
// reported with the place of the block.
type Validator interface {
	Validate() error
}

// Decode fills the struct that into points to, strictly: an unknown name is an
// error with the nearest valid one. Fields are named by their yaml tags;
// durations are written with their unit. What the block leaves away keeps the
// value it has in into. An empty block changes nothing, and is validated.
func (b Block) Decode(into any) error {
	var p problems
	if !b.Empty() {
		if b.root.shape != shapeTable {
			p.add(b.origin, b.Path, "wants keys with values, not "+b.root.shape.String(), "the keys are "+strings.Join(fieldNames(reflect.TypeOf(into)), ", "))
			return p.err()
		}
		b.tryEach(into, &p)
		if err := p.err(); err != nil {
			return err
		}
		if err := decodeStrict(b.root.tree, into); err != nil {
			b.explain(err, entry{origin: b.origin, value: b.root}, into, &p)
			return p.err()
		}
	}
	if v, ok := into.(Validator); ok {
		if err := v.Validate(); err != nil {
			p.add(b.origin, b.Path, err.Error(), "")
		}
	}
	return p.err()
}

// tryEach decodes every entry alone, into a value that is thrown away: so all
// mistakes are found, and each has the place of its entry at least.
func (b Block) tryEach(into any, p *problems) {
	typ := reflect.TypeOf(into)
	section, ok := b.root.tree.(*ast.MappingNode)
	if !ok || typ.Kind() != reflect.Pointer {
		return
	}
	for i, e := range b.root.entries {
		if fractional(typ.Elem(), e) {
			p.add(e.value.origin, b.Path+"."+e.name, fmt.Sprintf("cannot be %s", e.value.text), "it wants a whole number")
			continue
		}
		if err := decodeStrict(section.Values[i], reflect.New(typ.Elem()).Interface()); err != nil {
			b.explain(err, e, into, p)
		}
	}
}

// decodeStrict turns a panic of the decoder, which works by reflection over a
// struct that this package does not know, into an error.
func decodeStrict(tree ast.Node, into any) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("cannot be stored in %T: %v", into, v)
		}
	}()
	return yaml.NodeToValue(tree, into, yaml.Strict())
}

// explain turns the decoder's error into a problem at its place. e is the entry
// that it is about; one without a name is the whole block.
func (b Block) explain(err error, e entry, into any, p *problems) {
	path, at := b.Path, e.value.origin
	if e.name != "" {
		path += "." + e.name
	}
	message := firstLine(err.Error())
	if located, ok := errors.AsType[yaml.Error](err); ok {
		message = firstLine(located.GetMessage())
		if t := located.GetToken(); t != nil && t.Position != nil && at.Source == SourceFile {
			at.Line, at.Column = t.Position.Line, t.Position.Column
		}
	}
	if want := expected(err); want != "" {
		message = "wants " + want
		if e.value.shape != shapeTable { // or else it is something below
			message += ", not " + e.value.shape.String()
		}
	}
	var unknown *yaml.UnknownFieldError
	if !errors.As(err, &unknown) || unknown.Token == nil {
		p.add(at, path, message, "")
		return
	}
	names := fieldNames(reflect.TypeOf(into))
	remedy := "the keys are " + strings.Join(names, ", ")
	if near := Nearest(unknown.Token.Value, names); near != "" {
		remedy = didYouMean(near)
	}
	p.add(at, b.Path+"."+unknown.Token.Value, "is not a key", remedy)
}

// fieldNames gives the names under which a struct's fields are written, those of
// structs inside it included.
func fieldNames(t reflect.Type) []string {
	found := map[string]bool{}
	collectFields(t, found, 0)
	return slices.Sorted(maps.Keys(found))
}

func collectFields(t reflect.Type, found map[string]bool, depth int) {
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct || depth > 8 {
		return
	}
	for field := range t.Fields() {
		if !field.IsExported() {
			continue
		}
		name := fieldName(field)
		if name == "-" {
			continue
		}
		found[name] = true
		collectFields(field.Type, found, depth+1)
	}
}

// fieldName is the name under which a field is written; "-" is none.
func fieldName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	if name == "" {
		return strings.ToLower(field.Name)
	}
	return name
}

// show gives the block as plain values. Secrets are redacted by their names.
func (n node) show(name string) any {
	switch n.shape {
	case shapeList:
		out := []any{}
		for _, item := range n.items {
			out = append(out, item.show(name))
		}
		return out
	case shapeTable:
		out := map[string]any{}
		for _, e := range n.entries {
			out[e.name] = e.value.show(e.name)
		}
		return out
	case shapeNull:
		return map[string]any{}
	case shapeBool:
		return n.text == "true"
	case shapeNumber:
		if i, err := parseInt(n.text); err == nil {
			return i
		}
		if f, err := parseFloat(n.text); err == nil {
			return f
		}
	case shapeBare, shapeText:
	}
	return Redact(name, n.text)
}

// blockCodec keeps a part of the configuration for somebody else.
type blockCodec struct {
	at func(*Config) *Block
}

func blockKey(path string, at func(*Config) *Block, doc string) Key {
	return Key{Path: path, Type: "section", Doc: doc, codec: blockCodec{at}}
}

func (b blockCodec) show(c *Config) any {
	block := *b.at(c)
	if block.Empty() {
		return map[string]any{}
	}
	return block.root.show("")
}

func (b blockCodec) decode(c *Config, key string, n node, p *problems) {
	if n.shape == shapeList {
		p.add(n.origin, key, "wants a section or the name of a processor, not a list", "")
		return
	}
	duplicates(n, key, p)
	*b.at(c) = Block{Path: key, root: n, origin: n.origin}
}

// duplicates reports names that are set twice, at any depth.
func duplicates(n node, path string, p *problems) {
	seen := map[string]Origin{}
	for _, e := range n.entries {
		at := path + "." + e.name
		if first, twice := seen[e.name]; twice {
			p.add(e.origin, at, "is set twice, first at "+first.String(), "keep one")
		}
		seen[e.name] = e.origin
		duplicates(e.value, at, p)
	}
	for i, item := range n.items {
		duplicates(item, fmt.Sprintf("%s[%d]", path, i), p)
	}
}
