package warning

// Feature is something that can be lost or changed. Clients match on its code, which is stable and begins with
// "lost.", "changed." (also for what was moved) or "added." (for generated defaults). Its sentence says what
// happened, not how to fix it. The features are generated from x-warnings of the OpenAPI document.
type Feature struct {
	code     string
	sentence string
}

// Code returns the stable code, without the colon that follows it in a warning.
func (f Feature) Code() string { return f.code }
