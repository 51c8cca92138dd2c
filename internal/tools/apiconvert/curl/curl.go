// Package curl turns shell text with curl commands into the request model and
// writes the model as such text. Package shell finds the commands, package
// curlcmd reads their options; here their requests are put into the model's
// words.
package curl
