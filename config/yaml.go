package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxYAML bounds what is read as one document. The longest configuration
	// that makes sense has a tenth of it, and the parser takes minutes for a
	// megabyte of nested brackets.
	maxYAML = 64 << 10
	// maxDepth bounds the nesting, so that the recursion over a hostile file
	// ends. The deepest key has a depth of 5.
	maxDepth = 64
)

// yamlReader turns one YAML document into nodes.
type yamlReader struct {
	name     string
	source   Source
	problems *problems
}

// read parses text and returns the node of its only document. ok is false when
// there is none to go on with; the problems say why.
func (r yamlReader) read(text []byte) (root node, ok bool) {
	if len(text) > maxYAML {
		r.fail(nil, fmt.Sprintf("is %d bytes long, more than %d", len(text), maxYAML), "is it the right file?")
		return node{}, false
	}
	// Editors of another system put a mark before the text.
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		r.fail(nil, "is not text in UTF-8", "is it the right file?")
		return node{}, false
	}
	file, err := parse(text)
	if err != nil {
		r.syntax(err)
		return node{}, false
	}
	docs := file.Docs[:0]
	for _, d := range file.Docs {
		if d.Body != nil {
			docs = append(docs, d)
		}
	}
	if len(docs) == 0 {
		r.fail(nil, "is empty", "write at least brokers, group and topics, or leave the file away and use flags")
		return node{}, false
	}
	if len(docs) > 1 {
		r.fail(docs[1].Start, "is a second document in the file", "keep one")
		return node{}, false
	}
	return r.node(docs[0].Body, 0)
}

// parse calls the YAML parser, and turns a panic of it into an error: the input
// is the user's, and a mistake in it must not end with a stack trace.
func parse(text []byte) (file *ast.File, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("parse yaml: %v", v)
		}
	}()
	return parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
}

// syntax reports what the parser said, at the place where it said it.
func (r yamlReader) syntax(err error) {
	var located yaml.Error
	if !errors.As(err, &located) {
		r.fail(nil, "is not YAML: "+firstLine(err.Error()), "")
		return
	}
	remedy := ""
	message := firstLine(located.GetMessage())
	if strings.Contains(tokenText(located.GetToken()), "\t") || strings.Contains(message, "tab") {
		remedy = "indent with spaces, not with tabs"
	}
	r.fail(located.GetToken(), "is not YAML: "+message, remedy)
}

func tokenText(t *token.Token) string {
	if t == nil {
		return ""
	}
	return t.Origin
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func (r yamlReader) fail(t *token.Token, message, remedy string) {
	r.problems.add(r.origin(t), "", message, remedy)
}

func (r yamlReader) origin(t *token.Token) Origin {
	o := Origin{Source: r.source, Name: r.name}
	if r.source == SourceFile && t != nil && t.Position != nil {
		o.Line, o.Column = t.Position.Line, t.Position.Column
	}
	return o
}

// node converts one node of the syntax tree. ok is false when it, or something
// below it, cannot be used.
func (r yamlReader) node(n ast.Node, depth int) (node, bool) {
	if depth > maxDepth {
		r.fail(n.GetToken(), fmt.Sprintf("is nested more than %d levels deep", maxDepth), "")
		return node{}, false
	}
	out := node{origin: r.origin(n.GetToken()), tree: n}
	switch n := n.(type) {
	case *ast.StringNode:
		out.shape, out.text = shapeText, n.Value
	case *ast.LiteralNode:
		out.shape, out.text = shapeText, n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		out.shape, out.text = shapeNumber, n.GetToken().Value
	case *ast.BoolNode:
		out.shape, out.text = shapeBool, n.GetToken().Value
	case *ast.NullNode:
		out.shape = shapeNull
	case *ast.SequenceNode:
		return r.list(out, n, depth)
	case *ast.MappingNode:
		return r.table(out, n.Values, depth)
	case *ast.MappingValueNode:
		return r.table(out, []*ast.MappingValueNode{n}, depth)
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		r.fail(n.GetToken(), "is a YAML anchor or alias, which is not read here", "write the value out")
		return out, false
	case *ast.TagNode:
		r.fail(n.GetToken(), "is a YAML tag, which is not read here", "leave the tag away")
		return out, false
	default:
		r.fail(n.GetToken(), "is a kind of YAML that is not read here", "")
		return out, false
	}
	return out, true
}

func (r yamlReader) list(out node, n *ast.SequenceNode, depth int) (node, bool) {
	out.shape = shapeList
	ok := true
	for _, v := range n.Values {
		item, good := r.node(v, depth+1)
		ok = ok && good
		out.items = append(out.items, item)
	}
	return out, ok
}

func (r yamlReader) table(out node, values []*ast.MappingValueNode, depth int) (node, bool) {
	out.shape = shapeTable
	ok := true
	for _, v := range values {
		name, good := r.node(v.Key, depth+1)
		if good && !name.scalar() {
			r.fail(v.Key.GetToken(), "is not a name", "a key is one word")
			good = false
		}
		if !good {
			ok = false
			continue
		}
		value, good := r.node(v.Value, depth+1)
		if !good {
			ok = false
			continue
		}
		out.entries = append(out.entries, entry{name: name.text, origin: name.origin, value: value})
	}
	// The parser's position of a section is a colon inside it.
	if len(out.entries) > 0 {
		out.origin = out.entries[0].origin
	}
	return out, ok
}
