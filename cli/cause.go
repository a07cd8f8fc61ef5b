package cli

import "fmt"

// errText is the text of an error that may come from a processor. The classic
// mistake of Go, a nil pointer that is returned as an error, makes Error panic:
// the log must say so, and not end the process.
func errText(err error) (text string) {
	if err == nil {
		return ""
	}
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprintf("an error of type %T, whose Error method panics: %v", err, v)
		}
	}()
	return err.Error()
}
