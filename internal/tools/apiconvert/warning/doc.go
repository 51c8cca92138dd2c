// Package warning collects what a conversion dropped, changed or added. A warning consists of a feature, names and
// places: the feature provides the stable code and the sentence. Names and places come from the source, so secrets
// are removed and lengths limited when the warnings are written. Sentences never quote the source.
//
// A reader warns about what the request model can't represent, a pass or a writer about what the target can't
// represent, and a rewrite about what the other version can't represent. As a result nothing is reported twice, and
// what the target supports isn't reported at all.
//
//	lost.curl_option: --retry 3 (command 1, line 1). The target cannot express options that …; they were dropped.
//	feature           name      place                sentence
//
// A place is a value of the document (tree.Value) or a part of a script. A value keeps its ID when it moves, so the
// pointer that it had in the source is found when the warnings are written.
//
// In reading order: list.go (features and lists of warnings), secrets.go (what happened to secrets), place.go
// (places, and the paths of a document's values). warning.gen.go has all features.
package warning
